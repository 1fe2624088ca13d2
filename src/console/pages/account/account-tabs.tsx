import { may } from '../../api/session.ts';
import { Tabs } from '../../components/tabs.tsx';

/** The parts of the account's own pages. Keys are for who may manage them. */
export function AccountTabs() {
  const tabs = [
    { path: '/account', name: 'Profile' },
    ...(may('admin')
      ? [
          { path: '/account/keys', name: 'API keys' },
          { path: '/account/audit', name: 'Audit log' },
        ]
      : []),
  ];
  return <Tabs label="Account" tabs={tabs} />;
}
