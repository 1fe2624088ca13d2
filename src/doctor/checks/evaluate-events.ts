import type { EventInfo } from '../../../db/info/event-info.ts';
import { ok, problem, warning, type Finding } from './check-result.ts';

const title = 'webhooks';

/** Checks the deliveries of events. Without webhooks there is nothing to check. */
export function evaluateEvents({ active, switchedOff, abandonedResult }: EventInfo): readonly Finding[] {
  const findings = [
    ...switchedOff.map(({ name, account, reason }) => {
      const remedy = `Run \`nightshift webhook test "${name}"${of(account)}\`. When that succeeds, run \`nightshift webhook enable "${name}"${of(account)}\` and \`nightshift webhook replay "${name}" --dead${of(account)}\`.`;
      return warning(title, `"${name}"${ownedBy(account)} is disabled: ${reason}`, remedy);
    }),
    ...abandonedResult.map(({ name, account, events, lastError }) => {
      const were = events === 1 ? 'event was' : 'events were';
      const found = `${events} ${were} not delivered to "${name}"${ownedBy(account)}. Last error: ${lastError}`;
      const remedy = `Fix the error, then run \`nightshift webhook replay "${name}" --dead${of(account)}\`.`;
      return warning(title, found, remedy);
    }),
  ];
  if (findings.length > 0 || active === 0) return findings;
  return [ok(title, `${active} enabled, no abandoned events`)];
}

/** Checks that a mail server is configured if a webhook sends mail. */
export function evaluateMissingMail(activeByMail: number): readonly Finding[] {
  if (activeByMail === 0) return [];
  return [
    problem(
      'mail',
      `${activeByMail} ${activeByMail === 1 ? 'webhook sends' : 'webhooks send'} mail, but no mail server is configured`,
      'Set NIGHTSHIFT_SMTP_URL and NIGHTSHIFT_MAIL_FROM for every `up` and `work`.',
    ),
  ];
}

function ownedBy(account: string): string {
  return account === 'default' ? '' : ` of account ${account}`;
}

function of(account: string): string {
  return account === 'default' ? '' : ` --account ${account}`;
}
