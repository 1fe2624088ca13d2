import { stopPrivateServer } from '../../../postgres-server/index.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { unshippedText } from './unshipped-text.ts';

/** Stops the private server, with its last changes in the archive. Fails while other sessions are connected, unless forced. */
export const stop: Command<[], { readonly force?: boolean }> = async (
  { config, output, signal },
  { force },
) => {
  const { databaseUrl, home } = config();
  if (databaseUrl !== null) {
    output.result(
      { stopped: false, unshipped: null },
      () => 'DATABASE_URL is set: there is no private server to stop.',
    );
    return exitCodes.done;
  }
  let unshipped: string | null = null;
  const result = await stopPrivateServer({
    home,
    force: force === true,
    beforeStop: async (server) => {
      const { shipBeforeStop } = await import('../../../app/backups/ship-before-stop.ts');
      unshipped = await shipBeforeStop(config(), server, signal);
      if (unshipped !== null) output.note(unshippedText(unshipped, server.dataFolder));
    },
  });
  output.result({ stopped: result === 'stopped', unshipped }, () =>
    result === 'stopped'
      ? 'The private server has stopped. Its data is kept.'
      : 'The private server is not running.',
  );
  return exitCodes.done;
};
