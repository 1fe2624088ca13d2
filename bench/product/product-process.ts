import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Closers } from '../../src/closers.ts';
import { parseAnswer, type Task } from './tasks.ts';

const mainPath = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Maximum wait for an idle process. */
const closeMsMax = 10_000;

/** A separate process with the product: its memory is the product's alone. */
export interface ProductProcess {
  readonly pid: number;
  /** Runs a task; one at a time. Rejects with the error of the process. */
  run(task: Task): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts the product on the private server of `home`. It ends with the benchmark, however that ends. */
export function startProduct(home: string, closers: Closers): ProductProcess {
  const child = fork(mainPath, [home], {
    execArgv: ['--import', 'tsx', ...extraArguments()],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  let id = 0;

  async function run(task: Task): Promise<unknown> {
    id += 1;
    const answered = once(child, 'message');
    child.send({ id, task });
    const gone = ended.then(() => {
      throw new Error(`The process of the product ended in the middle of ${task.kind}.`);
    });
    const messages: readonly unknown[] = await Promise.race([answered, gone]);
    const { error, value } = parseAnswer(messages[0]);
    if (error !== null) throw new Error(`${task.kind}: ${error}`);
    return value;
  }

  async function close(): Promise<void> {
    if (child.connected) child.disconnect();
    const kill = setTimeout(() => child.kill('SIGKILL'), closeMsMax);
    await ended;
    clearTimeout(kill);
  }

  const started = { pid: child.pid ?? 0, run, close };
  return closers.add(started, close);
}

/** `NIGHTSHIFT_BENCH_NODE`: arguments for Node in this process, such as `--cpu-prof`. */
function extraArguments(): readonly string[] {
  return (process.env['NIGHTSHIFT_BENCH_NODE'] ?? '').split(' ').filter((argument) => argument !== '');
}
