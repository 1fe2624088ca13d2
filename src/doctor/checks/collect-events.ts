import { readEventInfo } from '../../../db/info/event-info.ts';
import type { Config, MailConfig } from '../../config/config.ts';
import { openMailer } from '../../app/event-channels.ts';
import type { PostgresExamination } from './collect-postgres.ts';
import { examine, ok, problem, errorMessage, type Finding } from './check-result.ts';
import { evaluateMissingMail, evaluateEvents } from './evaluate-events.ts';

/** Checks whether those are told who want to be: their webhooks, and the mail server where one is set. */
export async function examineEvents(
  { mail }: Pick<Config, 'mail'>,
  { database, isMigrated }: Pick<PostgresExamination, 'database' | 'isMigrated'>,
): Promise<readonly Finding[]> {
  let activeByMail = 0;
  const webhooks = await examine('webhooks', async () => {
    if (database === null || !isMigrated) return [];
    const info = await readEventInfo(database.pool);
    activeByMail = info.activeByMail;
    return evaluateEvents(info);
  });
  return [...webhooks, ...(mail === null ? evaluateMissingMail(activeByMail) : [await examineMail(mail)])];
}

/** Logs in, and sends nothing. */
async function examineMail(mail: MailConfig): Promise<Finding> {
  const { host } = new URL(mail.url);
  try {
    await openMailer(mail).check();
    return ok('mail', `${host} takes mail from us`);
  } catch (error) {
    const remedy = 'Check NIGHTSHIFT_SMTP_URL: its host, its port, and the login.';
    return problem('mail', `${host} takes no mail from us: ${errorMessage(error)}`, remedy);
  }
}
