import type { ReactNode } from 'react'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { texts } from '#/kit/list/use-list-page.ts'
import type { ActivityScope } from './queries.ts'
import { activityKeys, type ActivitySearch } from './search.ts'
import { ActivityTab } from './tab.ts'

/** The URL's search parameters of a page that has its activity in a tab. */
export type WithActivitySearch = ActivitySearch & { tab?: string | undefined }
export const withActivitySearch: (search: Record<string, unknown>) => WithActivitySearch = texts(
  'tab',
  ...activityKeys,
)

const isActivityTab = ({ tab }: { tab?: string | undefined }): boolean => tab === 'activity'

interface Props {
  /** The accessible name of the tabs. */
  label: string
  /** The tab of the contents. */
  contents: string
  link: LinkTarget
  activityLink: LinkTarget
  /** With the object. */
  scope: ActivityScope
  asked: WithActivitySearch
  children: ReactNode
}

/** The contents of an object's page in one tab, and its activity in another. */
export function WithActivity({ label, contents, link, activityLink, scope, asked, children }: Props) {
  const isActivity = isActivityTab(asked)
  return (
    <RouteTabs
      label={label}
      tabs={[
        { id: 'contents', label: contents, link },
        { id: 'activity', label: 'Activity', link: activityLink, isExtension: true },
      ]}
      current={isActivity ? 'activity' : 'contents'}
    >
      {isActivity ? <ActivityTab scope={scope} search={asked} /> : children}
    </RouteTabs>
  )
}
