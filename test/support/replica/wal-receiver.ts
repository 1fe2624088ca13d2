import pg from 'pg';
import { vi } from 'vitest';
import { withClient } from '../db/test-postgres.ts';
import { waitMsMax } from '../wait-bound.ts';

/**
 * Receives the WAL of a server and confirms that it is stored, as `pg_receivewal` does: it never replays any (PostgreSQL docs, "Streaming
 * Replication Protocol"). Resolves when the server knows.
 */
export async function startWalReceiver(url: string, name: string): Promise<{ readonly close: () => void }> {
  const client = new pg.Client({ connectionString: `${url}?replication=true`, application_name: name });
  await client.connect();
  client.on('error', () => undefined);
  const { rows } = await client.query<{ xlogpos: string }>('IDENTIFY_SYSTEM');
  const position = rows[0]?.xlogpos ?? '';
  client.query(`START_REPLICATION PHYSICAL ${position}`).catch(() => undefined);
  client.connection.stream.write(standbyStatus(position));
  await vi.waitUntil(
    () =>
      withClient(url, async (asking) => {
        const { rowCount } = await asking.query(
          'SELECT FROM pg_stat_replication WHERE application_name = $1 AND write_lsn IS NOT NULL',
          [name],
        );
        return rowCount === 1;
      }),
    { timeout: waitMsMax, interval: 20 },
  );
  return { close: () => void client.connection.stream.destroy() };
}

/** Message "Standby status update" in a message "CopyData": written and flushed up to a position such as `0/3000148`, and nothing replayed. */
function standbyStatus(position: string): Buffer {
  const [log = '', offset = ''] = position.split('/');
  const lsn = (BigInt(`0x${log}`) << 32n) + BigInt(`0x${offset}`);
  const message = Buffer.alloc(39);
  message.write('d');
  message.writeInt32BE(38, 1);
  message.write('r', 5);
  message.writeBigInt64BE(lsn, 6);
  message.writeBigInt64BE(lsn, 14);
  return message;
}
