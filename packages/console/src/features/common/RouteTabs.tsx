import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { type Tab, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { PathLink } from './PathLink.tsx'

/** A tab whose page is at the path of the thing itself, followed by the tab's id. */
interface RouteTab {
  id: string
  label: string
}

interface Props {
  /** What the tabs are of. */
  label: string
  /** The path of the thing itself. */
  base: string
  /** The first is current where the path is of none. */
  tabs: readonly [RouteTab, ...RouteTab[]]
  children: ReactNode
}

/** Tabs that are pages of one thing. A form over a tab, `subnets-new`, leaves the tab current. */
export function RouteTabs({ label, base, tabs, children }: Props) {
  const panelId = useId()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const current = tabs.find(({ id }) => path.startsWith(`${base}/${id}`))?.id ?? tabs[0].id
  return (
    <div className="mt-4">
      <Tabs label={label} panelId={panelId} current={current} tabs={tabs.map((tab) => tabLink(base, tab))} />
      <TabPanel id={panelId} current={current}>
        {children}
      </TabPanel>
    </div>
  )
}

const tabLink = (base: string, { id, label }: RouteTab): Tab => ({
  id,
  label,
  link: (props) => <PathLink {...props} to={`${base}/${id}`} />,
})
