import { can } from '../../api/session.ts';
import { Tabs } from '../../components/tabs.tsx';

/** Tabs of the places that lists come from and results go to. Destinations need the permission `admin`. */
export function ConnectionTabs() {
  const tabs = [
    { path: '/inboxes', name: 'Inboxes' },
    ...(can('admin') ? [{ path: '/destinations', name: 'Destinations' }] : []),
  ];
  return <Tabs label="Connections" tabs={tabs} />;
}
