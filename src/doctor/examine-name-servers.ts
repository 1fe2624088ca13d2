import type { Config } from '../config/config.ts';
import { checkNameServers } from '../email.ts';
import { examine, type Finding } from './finding.ts';
import { judgeNameServers } from './judge-name-servers.ts';

const lookMsMax = 10_000;

/** Asks the name servers that tell about mail domains for names that exist and for names that do not. */
export async function examineResolvers(config: Config): Promise<readonly Finding[]> {
  return examine('name servers', async () =>
    judgeNameServers(await checkNameServers(config.email, AbortSignal.timeout(lookMsMax)), {
      doAddressesMatter: config.email.dnsServers !== null || config.email.probe !== null,
    }),
  );
}
