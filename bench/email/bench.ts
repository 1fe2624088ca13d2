import { withClosers } from '../support/closing.ts';
import { readHost } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { openFolder } from '../support/workplace.ts';
import { measureProbing, type ProbingRound } from './probing.ts';
import { openReaders } from './readers.ts';
import { measureReading, type MixKind } from './reading.ts';
import { emailResult } from './result.ts';

const addressesDefault = { full: 100_000, smallest: 5_000 };
const probedAddresses = { full: 50, smallest: 5 };
/** Factor of the rounds, because parsing takes seconds and a machine is never idle. */
const readingRounds = 3;

/**
 * Compares parsing and checking addresses with the syntax check of other libraries, and mailboxes in shared sessions with
 * single ones.
 */
export function benchEmail(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => {
    const { rounds, rows, seed } = options;
    const addresses = rows ?? sizeOf(options, addressesDefault);
    const probed = sizeOf(options, probedAddresses);
    const readers = openReaders(await openFolder(closers));
    const measure = (mix: MixKind) => {
      say(`Reading, ${mix}`);
      return measureReading(readers, { mix, rounds: rounds * readingRounds, addresses, seed });
    };
    const leads = measure('leads');
    const distinct = measure('distinct');
    const probing: ProbingRound[] = [];
    for (let n = 1; n <= rounds; n += 1) {
      say(`Probing, round ${n} of ${rounds}`);
      probing.push(await measureProbing(probed, closers));
    }
    return emailResult({
      host: readHost(),
      addresses,
      probed,
      reading: { leads: leads.rounds, distinct: distinct.rounds },
      taken: leads.taken,
      probing,
    });
  });
}
