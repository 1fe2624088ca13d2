import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import { parseCompany } from '../../src/core/companies/company.ts';
import { listRows } from '../data/company-list.ts';
import { withClosers } from '../support/closing.ts';
import { readHost } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { openFolder } from '../support/workplace.ts';
import { findEngines, type ReadyEngine } from './install.ts';
import { peersResult, type PeerFigures, type PeersFigures } from './result.ts';
import { runOurs, runPeer, type PeerList, type PeerRun, type PeerWork } from './runs.ts';

const companiesDefault = { full: 20_000, smallest: 200 };
/** Companies before the measured ones, and of the sample that chooses the size of an engine. */
const warmUpCompanies = { full: 1000, smallest: 50 };
const sampleCompanies = 2000;

/** Compares the same task on the engines of others, each as its documentation recommends: time and CPU of all processes. */
export function benchPeers(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => peersResult(await measure(options, closers)));
}

async function measure(options: BenchOptions, closers: Closers): Promise<PeersFigures> {
  const { seed, isSmallest } = options;
  const { ready, missing } = findEngines({ isOffline: isSmallest });
  missing.forEach(say);
  const folder = await openFolder(closers);
  const warmUp = listFrom(0, sizeOf(options, warmUpCompanies), seed);
  const workOf = (count: number): PeerWork => ({
    folder,
    seed,
    warmUp,
    measured: listFrom(warmUp.companies.length, count, seed),
  });
  const companies = options.companies ?? sizeOf(options, companiesDefault);
  const chosen: { readonly ready: ReadyEngine; readonly size: number }[] = [];
  for (const each of ready)
    chosen.push({
      ready: each,
      size: isSmallest ? each.engine.sizes[0] : await chooseSize(each, workOf(sampleCompanies)),
    });
  const ours: PeerRun[] = [];
  const runs = new Map<string, PeerRun[]>(chosen.map(({ ready: { engine } }) => [engine.name, []]));
  for (let n = 1; n <= options.rounds; n += 1) {
    say(`Round ${n} of ${options.rounds}`);
    ours.push(shown('ours', await runOurs(workOf(companies), join(folder, `ours-${randomUUID()}`))));
    for (const { ready: each, size } of chosen)
      runs.get(each.engine.name)?.push(shown(each.engine.name, await runPeer(each, size, workOf(companies))));
  }
  const peers: PeerFigures[] = chosen.map(({ ready: { engine }, size }) => ({
    name: engine.name,
    settings: `${size} ${engine.sizeMeans}`,
    runs: runs.get(engine.name) ?? [],
  }));
  return { host: readHost(), companies, ours, peers, missing };
}

/** Companies from the nth on, each once. */
function listFrom(first: number, count: number, seed: number): PeerList {
  const list = {
    seed,
    companies: count,
    names: first + count,
    firstCompany: first,
    repeatsPerMille: 0,
    rejectsPerMille: 0,
  };
  const companies = [...listRows(list)].flatMap(({ cells: [name = '', domain = ''], company: index }) => {
    const parsed = parseCompany({ name, domain });
    return parsed.kind === 'rejected' ? [] : [{ id: first + index, ...parsed.company }];
  });
  return { list, companies };
}

/** The size with the least CPU time on a sample. */
async function chooseSize(ready: ReadyEngine, work: PeerWork): Promise<number> {
  const { engine } = ready;
  let best = { size: engine.sizes[0], cpu: Number.POSITIVE_INFINITY };
  for (const size of engine.sizes) {
    const { cpu } = shown(`${engine.name}, ${size} ${engine.sizeMeans}`, await runPeer(ready, size, work));
    if (cpu < best.cpu) best = { size, cpu };
  }
  return best.size;
}

function shown(what: string, run: PeerRun): PeerRun {
  say(`  ${what}: ${run.wall.toFixed(2)} s, CPU ${run.cpu.toFixed(2)} s`);
  return run;
}
