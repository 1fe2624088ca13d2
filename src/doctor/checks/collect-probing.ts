import type { Config } from '../../config/config.ts';
import { identityMistakes } from '../../core/emails/probing/probe-identity.ts';
import { checkProbing, openLists, openLookup } from '../../app/email-service.ts';
import { examine, problem, type Finding } from './check-result.ts';

const title = 'probing';
const checkMsMax = 60_000;

/** Checks this machine from the point of view of mail servers, if probing is configured. */
export async function examineProbing(config: Config): Promise<readonly Finding[]> {
  const { probe } = config.email;
  if (probe === null) return [];
  return examine(title, async () => {
    const mistakes = identityMistakes(probe, openLists(config));
    if (mistakes.length > 0) {
      const remedy =
        'Set NIGHTSHIFT_PROBE_HELLO_NAME, _MAIL_FROM and _CONTACT to names of your own domain, or unset all three.';
      return mistakes.map((mistake) => problem(title, mistake, remedy));
    }
    return checkProbing(config.email, probe, openLookup(config.email), AbortSignal.timeout(checkMsMax));
  });
}
