import { migrate } from '../../../db/migrate.ts';
import { findPostgres } from '../../infra/servers.ts';
import { migrationsFolder } from '../../package-root.ts';
import type { Command } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';

/** Brings the schema up to date. Safe to run at any time, and from several places at once. */
export const migrateCommand: Command<[], object> = async ({ config, output }) => {
  const postgres = await findPostgres(config(), output.note);
  const { applied, total } = await migrate(postgres.ownerUrl, migrationsFolder, (reason) =>
    output.note(`Waiting: ${reason}.`),
  );
  output.result({ applied, total }, () =>
    applied.length === 0
      ? `The schema is up to date (${total} migrations).`
      : `Applied ${applied.length} of ${total} migrations: ${applied.join(', ')}.`,
  );
  return exitCodes.done;
};
