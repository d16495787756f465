import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { type Tab, TabPanel, Tabs } from '#/ui/Tabs.tsx'
import { hrefOf, type LinkTarget } from './link-target.ts'
import { PageLink } from './PageLink.tsx'

export interface RouteTab {
  id: string
  label: string
  link: LinkTarget
}

interface Props {
  /** What the tabs are of. */
  label: string
  /** The first is current where the path is of none. */
  tabs: readonly [RouteTab, ...RouteTab[]]
  /** The id of the current tab, where tabs differ in the query and not in the path. */
  current?: string
  children: ReactNode
}

/** Tabs that are pages. A form over a tab, `subnets-new`, leaves the tab current. */
export function RouteTabs({ label, tabs, current: given, children }: Props) {
  const panelId = useId()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const current = given ?? currentOf(tabs, path).id
  return (
    <>
      <Tabs label={label} panelId={panelId} current={current} tabs={tabs.map(asTab)} />
      <TabPanel id={panelId} current={current}>
        {children}
      </TabPanel>
    </>
  )
}

/** The one whose path is the longest, because one tab can lie below another. */
function currentOf(tabs: Props['tabs'], path: string): RouteTab {
  const above = tabs.filter(({ link }) => path.startsWith(hrefOf(link)))
  return above.toSorted((one, other) => hrefOf(other.link).length - hrefOf(one.link).length)[0] ?? tabs[0]
}

const asTab = ({ id, label, link }: RouteTab): Tab => ({
  id,
  label,
  link: (props) => <PageLink {...props} {...link} />,
})
