import { readEventInfo } from '../../../db/info/event-info.ts';
import type { Config, MailConfig } from '../../config/config.ts';
import { openMailer } from '../../app/event-channels.ts';
import type { PostgresExamination } from './collect-postgres.ts';
import { examine, ok, problem, errorMessage, type Finding } from './check-result.ts';
import { evaluateMissingMail, evaluateNotices } from './evaluate-events.ts';

/** Checks the delivery of events: the webhooks, and the mail server if one is configured. */
export async function examineNotices(
  { mail }: Pick<Config, 'mail'>,
  { database, isMigrated }: Pick<PostgresExamination, 'database' | 'isMigrated'>,
): Promise<readonly Finding[]> {
  let activeByMail = 0;
  const webhooks = await examine('webhooks', async () => {
    if (database === null || !isMigrated) return [];
    const info = await readEventInfo(database.pool);
    activeByMail = info.activeByMail;
    return evaluateNotices(info);
  });
  return [...webhooks, ...(mail === null ? evaluateMissingMail(activeByMail) : [await examineMail(mail)])];
}

/** Checks the mail server: logs in and sends nothing. */
async function examineMail(mail: MailConfig): Promise<Finding> {
  const { host } = new URL(mail.url);
  try {
    await openMailer(mail).check();
    return ok('mail', `${host} accepts mail`);
  } catch (error) {
    const remedy = 'Check the host, the port and the login in NIGHTSHIFT_SMTP_URL.';
    return problem('mail', `${host} accepts no mail: ${errorMessage(error)}`, remedy);
  }
}
