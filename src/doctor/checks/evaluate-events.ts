import type { EventInfo } from '../../../db/info/event-info.ts';
import { ok, problem, warning, type Finding } from './check-result.ts';

const title = 'webhooks';

/** Checks the deliveries of events. Without webhooks there is nothing to check. */
export function evaluateEvents({ active, switchedOff, abandonedResult }: EventInfo): readonly Finding[] {
  const findings = [
    ...switchedOff.map(({ name, account, reason }) => {
      const remedy = `\`nightshift webhook test "${name}"${of(account)}\`; once that arrives \`webhook enable\` it, and \`webhook replay --dead\`.`;
      return warning(title, `"${name}"${ownedBy(account)} was switched off: ${reason}`, remedy);
    }),
    ...abandonedResult.map(({ name, account, events, lastError }) => {
      const were = events === 1 ? 'event was' : 'events were';
      const found = `${events} ${were} given up for "${name}"${ownedBy(account)}, the last because ${lastError}`;
      const remedy = `Mend that, then \`nightshift webhook replay "${name}" --dead${of(account)}\`.`;
      return warning(title, found, remedy);
    }),
  ];
  if (findings.length > 0 || active === 0) return findings;
  return [ok(title, `${active} on, and nothing was given up`)];
}

/** Webhooks that want mail, where no mail server is set. */
export function evaluateMissingMail(activeByMail: number): readonly Finding[] {
  if (activeByMail === 0) return [];
  return [
    problem(
      'mail',
      `${activeByMail} ${activeByMail === 1 ? 'webhook wants' : 'webhooks want'} mail, and no mail server is set`,
      'Set NIGHTSHIFT_SMTP_URL and NIGHTSHIFT_MAIL_FROM for every process that works.',
    ),
  ];
}

function ownedBy(account: string): string {
  return account === 'default' ? '' : ` of account ${account}`;
}

function of(account: string): string {
  return account === 'default' ? '' : ` --account ${account}`;
}
