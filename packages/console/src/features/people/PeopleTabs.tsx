import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { type Tab, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { PathLink } from '../common/PathLink.tsx'
import { peoplePaths } from './queries.ts'

const tab = (id: string, label: string, to: string): Tab => ({
  id,
  label,
  link: (props) => <PathLink {...props} to={to} />,
})
const tabs = [tab('users', 'Users', peoplePaths.users), tab('groups', 'Groups', peoplePaths.groups)]

/** Both kinds under one entry of the rail; what opens over a list leaves its tab current. */
export function PeopleTabs({ children }: { children: ReactNode }) {
  const panelId = useId()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const current = path.startsWith(peoplePaths.groups) ? 'groups' : 'users'
  return (
    <>
      <Tabs label="Users and groups" panelId={panelId} current={current} tabs={tabs} />
      <TabPanel id={panelId} current={current}>
        {children}
      </TabPanel>
    </>
  )
}
