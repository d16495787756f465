import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { type Tab, TabPanel, Tabs } from '#/ui/Tabs.tsx'
import { hrefOf, type LinkTarget } from '../links/link-target.ts'
import { PageLink } from '../links/PageLink.tsx'
import { useServed } from './use-served.ts'

interface RouteTab {
  id: string
  label: string
  link: LinkTarget
  /** On servers with extensions only. */
  isExtension?: true
}

interface Props {
  /** The accessible name of the tab list. */
  label: string
  /** The first tab is current where no tab matches the path. */
  tabs: readonly [RouteTab, ...RouteTab[]]
  /** The id of the current tab, if the tabs differ in the query instead of the path. */
  current?: string
  children: ReactNode
}

/** Tabs that are pages. A form over a tab, such as `subnets-new`, keeps the tab current. */
export function RouteTabs({ label, tabs, current: given, children }: Props) {
  const panelId = useId()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const served = useServed(tabs)
  const current = given ?? currentOf(tabs, path).id
  return (
    <>
      <Tabs label={label} panelId={panelId} current={current} tabs={served.map(asTab)} />
      <TabPanel id={panelId} current={current}>
        {children}
      </TabPanel>
    </>
  )
}

/** The longest match, because one tab's path can extend another's. */
function currentOf(tabs: Props['tabs'], path: string): RouteTab {
  const above = tabs.filter(({ link }) => path.startsWith(hrefOf(link)))
  return above.toSorted((one, other) => hrefOf(other.link).length - hrefOf(one.link).length)[0] ?? tabs[0]
}

const asTab = ({ id, label, link }: RouteTab): Tab => ({
  id,
  label,
  link: (props) => <PageLink {...props} {...link} />,
})

/** The head of a tab: a sentence about its contents, and right-aligned buttons. */
export function TabHead({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="mb-3 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
      <p className="min-w-0 text-muted">{children}</p>
      {actions && <div className="ml-auto flex items-center gap-2">{actions}</div>}
    </div>
  )
}
