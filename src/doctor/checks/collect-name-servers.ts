import type { Config } from '../../config/config.ts';
import { checkNameServers } from '../../app/email-service.ts';
import { examine, type Finding } from './check-result.ts';
import { evaluateNameServers } from './evaluate-name-servers.ts';

const checkMsMax = 10_000;

/** Queries the name servers for names that exist and for names that do not. */
export async function examineResolvers(config: Config): Promise<readonly Finding[]> {
  return examine('name servers', async () =>
    evaluateNameServers(await checkNameServers(config.email, AbortSignal.timeout(checkMsMax)), {
      doAddressesMatter: config.email.dnsServers !== null || config.email.probe !== null,
    }),
  );
}
