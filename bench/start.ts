import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Closers } from '../src/closers.ts';
import { ensurePrivateServer, stopPrivateServer } from '../src/postgres-server/index.ts';
import { openServer } from './support/bench-server.ts';
import { withClosers } from './support/closing.ts';
import { expectEqual } from './support/expect.ts';
import { median, rounded, timed } from './support/figures.ts';
import { readMachine } from './support/machine.ts';
import type { BenchOptions } from './support/options.ts';
import { say } from './support/say.ts';
import type { BenchResult } from './support/table.ts';
import { openFolder } from './support/workplace.ts';

const homesPerRound = 2;
const warmsPerHome = 2;
const helpsPerRound = 4;

/** Seconds for one home: created and started; found running; started again after a stop. */
interface Home {
  readonly cold: number;
  readonly adopt: readonly number[];
  readonly warm: readonly number[];
}

/** Measures the start of the private server, without migrations, and of `nightshift --help`. */
export function benchStart({ rounds }: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => {
    const folder = await openFolder(closers);
    const homes: Home[] = [];
    for (let n = 1; n <= rounds * homesPerRound; n += 1)
      homes.push(await measureHome(join(folder, `home-${n}`), closers));
    const server = await ensurePrivateServer({ home: join(folder, 'home-1') });
    const machine = await readMachine(server.url('postgres'));
    const help = measureHelp(rounds * helpsPerRound);
    const seconds = {
      cold: middle(homes.map((home) => home.cold)),
      warm: middle(homes.flatMap((home) => home.warm)),
      adopt: middle(homes.flatMap((home) => home.adopt)),
      help: middle(help),
    };
    return {
      name: 'start',
      head: ['', 'seconds', 'of'],
      rows: [
        ['private server, cold: initdb, roles, database', seconds.cold, homes.length],
        ['private server, warm: stopped before', seconds.warm, homes.length * warmsPerHome],
        ['private server, running: adopted', seconds.adopt, homes.length * warmsPerHome],
        ['nightshift --help', seconds.help, help.length],
      ],
      notes: ['Medians. Migrations are not counted, nor is the one build of a clone before --help.'],
      json: { seconds, machine, rounds: { homes, help } },
    };
  });
}

async function measureHome(home: string, closers: Closers): Promise<Home> {
  const cold = await timed(() => openServer(home, closers));
  expectEqual('A server in a new home was adopted', cold.value.adopted, false);
  const [adopt, warm]: [number[], number[]] = [[], []];
  for (let n = 0; n < warmsPerHome; n += 1) {
    adopt.push((await timed(() => ensurePrivateServer({ home }))).seconds);
    await stopPrivateServer({ home, force: true });
    const started = await timed(() => ensurePrivateServer({ home }));
    expectEqual('A stopped server was adopted', started.value.adopted, false);
    warm.push(started.seconds);
  }
  say(`  cold ${cold.seconds.toFixed(2)} s, warm ${warm.map((seconds) => seconds.toFixed(2)).join(', ')} s`);
  return { cold: cold.seconds, adopt, warm };
}

function measureHelp(times: number): readonly number[] {
  const program = join(import.meta.dirname, '..', 'src', 'cli', 'nightshift.js');
  return Array.from({ length: times }, () => {
    const startMs = performance.now();
    const { status, stdout } = spawnSync(process.execPath, [program, '--help'], { encoding: 'utf8' });
    expectEqual('The exit code of --help', status, 0);
    expectEqual('--help says how to use it', stdout.includes('Usage: nightshift'), true);
    return (performance.now() - startMs) / 1000;
  });
}

function middle(seconds: readonly number[]): number {
  return rounded(median(seconds));
}
