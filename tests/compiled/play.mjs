// Plays games of a module and writes what each of them left in memory to standard output.
// The only argument is the job as JSON; node_machine.py says what stands in it.
import { readFileSync } from "node:fs";

const job = JSON.parse(process.argv[2]);
const { instance } = await WebAssembly.instantiate(readFileSync(job.file), {});
const { memory, batch } = instance.exports;
const view = new DataView(memory.buffer);
view.setBigUint64(job.seed_at, BigInt(job.seed), true);
view.setBigInt64(job.work_at, BigInt(job.work), true);
batch(BigInt(job.first), job.games, job.most);
process.stdout.write(new Uint8Array(memory.buffer, job.results, job.games * job.game_bytes));
