import { can } from '../../api/session.ts';
import { Tabs } from '../../components/tabs.tsx';

/** Tabs of the account pages. Keys and the audit log need the permission `admin`. */
export function AccountTabs() {
  const tabs = [
    { path: '/account', name: 'Profile' },
    ...(can('admin')
      ? [
          { path: '/account/keys', name: 'API keys' },
          { path: '/account/audit', name: 'Audit log' },
        ]
      : []),
  ];
  return <Tabs label="Account" tabs={tabs} />;
}
