// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import { listPreferenceLimits } from '@gantry/api/views/list-preference.rules'
import { useNavigate } from '@tanstack/react-router'
import Bookmark from 'lucide-react/icons/bookmark'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useEffect, useRef, useState } from 'react'
import { listPreference, type SavedView, useListPreference } from '#/data/list-preferences.ts'
import { changeListPreference } from '#/data/saved-preferences.ts'
import { Button } from '#/ui/Button.tsx'
import { Truncate } from '#/ui/data/Truncate.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { MenuButton } from '#/ui/overlays/MenuButton.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { filterOf } from '../filter/filter-of.ts'
import { useColumnChoices, viewNamed } from '../use-column-choices.ts'
import { useFind } from '../use-find.ts'
import { searchOfView } from '../view-search.ts'

const ViewNameDialog = lazyPart(() => import('./ViewNameDialog.tsx'), 'ViewNameDialog')

/** Opens and keeps filters of a list, with their order and columns. */
export function SavedViews({ list }: { list: string }) {
  const preference = useListPreference(list)
  const { views } = preference
  const { search } = useFind()
  const columns = useColumnChoices(list)
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'new' | 'rename'>()
  // The form holds on to its page, so the URL names the view once it is closed.
  const named = useRef<string>(undefined)
  useEffect(() => {
    const { current: view } = named
    if (asked !== undefined || view === undefined) return
    named.current = undefined
    void navigate({ to: '.', search: (old) => ({ ...old, view }), replace: true, resetScroll: false })
  }, [asked, navigate])
  const current = viewNamed(preference, search.view)
  const now = { filter: filterOf(search), sort: search.sort ?? '' }
  const isChanged = current && (current.filter !== now.filter || current.sort !== now.sort)

  const open = (view: SavedView | undefined): void =>
    void navigate({ to: '.', search: view ? searchOfView(view) : {}, resetScroll: false })
  /** Of what the list has now: the menu may have been open for a while. */
  function change(edit: (all: readonly SavedView[]) => SavedView[]): void {
    changeListPreference(list, { views: edit(listPreference(list).views) })
  }
  const changeCurrent = (to: Partial<SavedView>): void =>
    change((all) => all.map((view) => (view.name === current?.name ? { ...view, ...to } : view)))

  function name(chosen: string): void {
    if (asked === 'rename') changeCurrent({ name: chosen })
    else
      change((all) => [
        ...all,
        { name: chosen, ...now, columns: [...columns], isPinned: true, isDefault: false },
      ])
    named.current = chosen
  }
  function remove(view: SavedView): void {
    change((all) => all.filter((each) => each.name !== view.name))
    open(undefined)
    const id = toast.info({
      title: `Deleted view ${view.name}`,
      text: 'The list stays as it is.',
      action: (
        <Button
          className="mt-2"
          onClick={() => {
            change((all) => [...all.filter(({ name: other }) => other !== view.name), view])
            toast.dismiss(id)
          }}
        >
          Undo
        </Button>
      ),
    })
  }

  const entries = (): MenuEntry[] => [
    { heading: views.length > 0 ? 'Saved views' : 'No saved views' },
    ...views.map((view) => ({
      label: view.name,
      checked: view === current,
      onSelect: () => open(view),
    })),
    'rule',
    {
      label: 'Save as new view',
      ...(views.length >= listPreferenceLimits.views && {
        disabled: `A list has at most ${listPreferenceLimits.views} views`,
      }),
      onSelect: () => setAsked('new'),
    },
    ...(current
      ? [
          {
            label: 'Save changes',
            ...(!isChanged && { disabled: 'Filter and order are as saved' }),
            onSelect: () => changeCurrent(now),
          },
          { label: 'Rename view', onSelect: () => setAsked('rename') },
          {
            label: current.isPinned ? 'Take out of the sidebar' : 'Pin in the sidebar',
            onSelect: () => changeCurrent({ isPinned: !current.isPinned }),
          },
          {
            label: current.isDefault ? 'No longer open by default' : 'Open by default',
            onSelect: () =>
              change((all) =>
                all.map((view) => ({
                  ...view,
                  isDefault: view.name === current.name && !current.isDefault,
                })),
              ),
          },
          { label: 'Leave view', onSelect: () => open(undefined) },
          { label: 'Delete view', danger: true, onSelect: () => remove(current) },
        ]
      : []),
  ]
  return (
    <>
      <MenuButton label="Views" entries={entries}>
        {(trigger) => (
          <Button {...trigger} className="max-w-full">
            <Bookmark aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4 shrink-0" />
            {current ? <Truncate text={current.name} max={24} /> : 'Views'}
            {current && <span className="sr-only">, saved view</span>}
            {isChanged && <span className="font-normal text-muted">changed</span>}
            <ChevronDown aria-hidden className="size-3.5 shrink-0" />
          </Button>
        )}
      </MenuButton>
      {asked && (
        <ViewNameDialog
          title={asked === 'new' ? 'Save view' : 'Rename view'}
          name={asked === 'rename' && current ? current.name : ''}
          others={views.filter((view) => asked === 'new' || view !== current).map(({ name: other }) => other)}
          onName={name}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
