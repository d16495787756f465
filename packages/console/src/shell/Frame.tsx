import { useMatches, useRouterState } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useCallback, useState } from 'react'
import { FootSlot } from '#/kit/list/foot.tsx'
import { isTasksOpen } from '#/kit/page/tasks-open.ts'
import { useStore } from '#/store.ts'
import { classes } from '#/ui/classes.ts'
import { SkipLink } from '#/ui/SkipLink.tsx'
import { useSimulated } from '#/data/fleet.ts'
import { Drawer } from './parts.tsx'
import type { NavGroup } from './navigation.ts'
import { RailGroups } from './Rail.tsx'
import { SimulatedStrip } from './SimulatedStrip.tsx'
import { TopBar } from './TopBar.tsx'
import { useIdleParts } from './use-idle-parts.ts'

interface Props {
  groups: readonly NavGroup[]
  /** Instead of the groups, for an area with navigation of its own. */
  Rail?: ComponentType<{ onGo?: () => void }>
  children: ReactNode
}

/** Top bar, rail and pane. Only the pane scrolls; a page's foot stays below it. */
export function Frame({ groups, Rail, children }: Props) {
  // Created before the first render, so that a page can render into it at once.
  const [foot] = useState(() => {
    const element = document.createElement('div')
    element.className = 'flex flex-col'
    element.dataset.foot = ''
    return element
  })
  const placeFoot = useCallback((place: HTMLElement | null) => place?.append(foot), [foot])
  const path = useRouterState({ select: ({ location }) => location.pathname })
  /** The page over which the drawer was opened; undefined while it is closed. */
  const [drawerOver, setDrawerOver] = useState<string>()
  const closeDrawer = () => setDrawerOver(undefined)
  // Every way to another page closes it: its own links, the switch of areas, Back, and the palette.
  if (drawerOver !== undefined && drawerOver !== path) closeDrawer()
  const isSimulated = useSimulated()
  const idle = useIdleParts()
  const hasTasks = useStore(isTasksOpen) && idle !== undefined
  const fillsPane = useMatches({
    select: (matches) => matches.some(({ staticData }) => staticData.fillsPane),
  })
  return (
    <div
      className={classes(
        'grid h-dvh grid-cols-1 grid-rows-[var(--beam-height)_minmax(0,1fr)] bg-rail print:block print:h-auto',
        hasTasks
          ? 'md:grid-cols-[minmax(0,1fr)_22rem] lg:grid-cols-[var(--rail-width)_minmax(0,1fr)_25.5rem]'
          : 'lg:grid-cols-[var(--rail-width)_minmax(0,1fr)]',
      )}
    >
      <SkipLink />
      <TopBar onOpenDrawer={() => setDrawerOver(path)} />
      <div data-print="hide" className="flex flex-col gap-4 overflow-y-auto px-2.5 py-3 max-lg:hidden">
        {Rail ? <Rail /> : <RailGroups groups={groups} />}
      </div>
      {drawerOver !== undefined && (
        <Drawer onClose={closeDrawer}>
          {/* A link to this page closes it too. */}
          {Rail ? <Rail onGo={closeDrawer} /> : <RailGroups groups={groups} onGo={closeDrawer} />}
        </Drawer>
      )}
      <div
        className={classes(
          'relative flex min-h-0 min-w-0 flex-col overflow-hidden border-t border-line bg-page lg:rounded-tl-float lg:border-l print:overflow-visible print:border-0',
          hasTasks && 'max-md:hidden',
        )}
      >
        <main
          id="content"
          tabIndex={-1}
          data-scroll-restoration-id="pane"
          className={classes(
            'min-h-0 grow outline-none',
            fillsPane ? 'flex flex-col overflow-hidden' : 'overflow-auto print:overflow-visible',
          )}
        >
          <FootSlot value={foot}>
            {fillsPane ? (
              children
            ) : (
              // The padding is not on the pane itself: sticky table heads would leave a gap through which rows show.
              <div className="px-gutter pt-3.5 pb-8 md:pt-5.5">
                <div className="max-w-page">{children}</div>
              </div>
            )}
          </FootSlot>
        </main>
        <div ref={placeFoot} data-print="hide" className="shrink-0" />
        {idle && <idle.PageTasks path={path} />}
        {isSimulated && <SimulatedStrip />}
      </div>
      {hasTasks && <idle.TasksPanel />}
    </div>
  )
}
