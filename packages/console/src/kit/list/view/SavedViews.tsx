// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import * as op from '@gantry/api/client/operations.gen'
import { listPreferenceLimits } from '@gantry/api/views/list-preference.rules'
import { type FilteredKind, listKind } from '@gantry/api/filter/list-kinds.rules'
import { useNavigate } from '@tanstack/react-router'
import Bookmark from 'lucide-react/icons/bookmark'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useEffect, useRef, useState } from 'react'
import {
  type ChosenView,
  listPreference,
  type SavedView,
  sharedColumns,
  useListPreference,
} from '#/data/list-preferences.ts'
import { isAbsent } from '#/data/extensions.ts'
import { changeListPreference } from '#/data/saved-preferences.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '../../feedback/confirm.tsx'
import { successMessage } from '../../feedback/success-message.tsx'
import { useStore } from '#/store.ts'
import { Button } from '#/ui/Button.tsx'
import { Truncate } from '#/ui/data/Truncate.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { MenuButton } from '#/ui/overlays/MenuButton.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { filterOf } from '../filter/filter-of.ts'
import type { ListPlace } from '../found-list.ts'
import { useColumnChoices, viewNamed } from '../use-column-choices.ts'
import { useFind } from '../use-find.ts'
import { searchOfView, viewKey } from '../view-search.ts'
import { type SharedView, useSharedViews } from './use-shared-views.ts'

const SaveViewDialog = lazyPart(() => import('./ViewDialogs.tsx'), 'SaveViewDialog')
const RenameViewDialog = lazyPart(() => import('./ViewDialogs.tsx'), 'RenameViewDialog')
const RenameSharedDialog = lazyPart(() => import('./ViewDialogs.tsx'), 'RenameSharedDialog')
const ReplaceSharedDialog = lazyPart(() => import('./ViewDialogs.tsx'), 'ReplaceSharedDialog')

interface Props {
  kind: FilteredKind
  /** The id of the list. */
  list: string
  /** Where views are shared; without it, each user has only own ones. */
  place: ListPlace | undefined
}

/** Opens and keeps filters of a list, with their order and columns. */
export function SavedViews({ kind, list, place }: Props) {
  const preference = useListPreference(list)
  const { views } = preference
  const { search } = useFind()
  const columns = useColumnChoices(list)
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'new' | 'rename' | 'replace'>()
  const project = place?.project
  const { shared, canShare, whyNot, where } = useSharedViews(list, place)
  const removeShared = useOp(op.sharedViewDelete)
  const changedColumns = useStore(sharedColumns).changed
  // The form holds on to its page, so the URL names the view once it is closed.
  const named = useRef<string>(undefined)
  useEffect(() => {
    const { current: view } = named
    if (asked !== undefined || view === undefined) return
    named.current = undefined
    void navigate({ to: '.', search: (old) => ({ ...old, view }), replace: true, resetScroll: false })
  }, [asked, navigate])
  const own = viewNamed(preference, search.view)
  const ofAll = own ? undefined : shared.find(({ id }) => id === search.view)
  const current = own ?? ofAll
  const now = { filter: filterOf(search), sort: search.sort ?? '' }
  const isChanged =
    current &&
    (current.filter !== now.filter ||
      current.sort !== now.sort ||
      (ofAll !== undefined && changedColumns[ofAll.id] !== undefined))

  /** As it is saved. */
  function open(view: SavedView | SharedView | undefined): void {
    forgetColumns(view && viewKey(view))
    void navigate({ to: '.', search: view ? searchOfView(view) : {}, resetScroll: false })
  }
  /** Of what the list has now: the menu may have been open for a while. */
  function change(edit: (all: readonly SavedView[]) => SavedView[]): void {
    changeListPreference(list, { views: edit(listPreference(list).views) })
  }
  const changeOwn = (to: Partial<SavedView>): void =>
    change((all) => all.map((view) => (view.name === own?.name ? { ...view, ...to } : view)))
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

  const ownEntries = (view: SavedView): MenuEntry[] => [
    {
      label: 'Save changes',
      ...(!isChanged && { disabled: 'Filter and order are as saved' }),
      onSelect: () => changeOwn(now),
    },
    { label: 'Rename view', onSelect: () => setAsked('rename') },
    {
      label: view.isPinned ? 'Take out of the sidebar' : 'Pin in the sidebar',
      onSelect: () => changeOwn({ isPinned: !view.isPinned }),
    },
    {
      label: view.isDefault ? 'No longer open by default' : 'Open by default',
      onSelect: () => {
        change((all) =>
          all.map((each) => ({ ...each, isDefault: each.name === view.name && !view.isDefault })),
        )
        if (!view.isDefault) clearDefault(list, place)
      },
    },
    { label: 'Leave view', onSelect: () => open(undefined) },
    { label: 'Delete view', danger: true, onSelect: () => remove(view) },
  ]
  function sharedEntries(view: SharedView): MenuEntry[] {
    const { isPinned = false, isDefault = false } =
      preference.sharedViews.find(({ id }) => id === view.id) ?? {}
    const forbidden = whyNot !== undefined && { disabled: whyNot }
    return [
      {
        label: 'Save changes',
        ...(!isChanged && { disabled: 'Filter, order and columns are as saved' }),
        ...forbidden,
        onSelect: () => setAsked('replace'),
      },
      { label: 'Rename view', ...forbidden, onSelect: () => setAsked('rename') },
      {
        label: isPinned ? 'Take out of the sidebar' : 'Pin in the sidebar',
        onSelect: () => choose(list, place, view, { isPinned: !isPinned, isDefault }),
      },
      ...(place?.project !== undefined || list === 'instances' || list === 'images'
        ? [
            {
              label: isDefault ? 'No longer open by default' : 'Open by default',
              onSelect: () => {
                clearDefault(list, place)
                choose(list, place, view, { isPinned, isDefault: !isDefault })
              },
            },
          ]
        : // The sidebar has no entry that opens the other lists across projects.
          []),
      { label: 'Leave view', onSelect: () => open(undefined) },
      {
        label: 'Delete view',
        danger: true,
        ...forbidden,
        onSelect: () =>
          confirmAction({
            title: 'Confirm delete shared view',
            kind: 'danger',
            content: (
              <p>
                Delete <strong>{view.name}</strong>? It goes for all users of {where}. The list stays as it
                is.
              </p>
            ),
            confirmLabel: 'Delete',
            pendingLabel: 'Deleting',
            errorTitle: 'Could not delete view',
            success: successMessage('View', view.name, 'deleted'),
            run: async () => {
              await removeShared.run({ path: { sharedView: view.id } })
              open(undefined)
            },
          }),
      },
    ]
  }

  const entries = (): MenuEntry[] => [
    ...(views.length > 0 || shared.length === 0
      ? [{ heading: views.length > 0 ? 'Saved views' : 'No saved views' }]
      : []),
    ...views.map((view) => ({
      label: view.name,
      checked: view === current,
      onSelect: () => open(view),
    })),
    ...(shared.length > 0 ? [{ heading: `Shared in ${where}` }] : []),
    ...shared.map((view) => ({
      label: `${view.name}, by ${view.sharedBy?.name ?? 'a former user'}`,
      checked: view === current,
      onSelect: () => open(view),
    })),
    'rule',
    { label: 'Save as new view', onSelect: () => setAsked('new') },
    // Alerts are of what projects hold themselves.
    ...(project === undefined || listKind(kind).scope !== 'project' || isAbsent(op.metricQueryCreate)
      ? []
      : [
          {
            label: 'Get alerts of this filter',
            disabled: whyNot ?? (now.filter === '' ? 'The list has no filter' : undefined),
            onSelect: () =>
              void navigate({
                to: '/projects/$project/saved-queries-new',
                params: { project },
                search: { filterOf: kind, filter: now.filter },
              }),
          },
        ]),
    ...(own ? ownEntries(own) : ofAll ? sharedEntries(ofAll) : []),
  ]
  const close = (): void => setAsked(undefined)
  return (
    <>
      <MenuButton label="Views" entries={entries}>
        {(trigger) => (
          <Button {...trigger} className="max-w-full">
            <Bookmark aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4 shrink-0" />
            {current ? <Truncate text={current.name} max={24} /> : 'Views'}
            {current && <span className="sr-only">{ofAll ? ', shared view' : ', saved view'}</span>}
            {isChanged && <span className="font-normal text-muted">changed</span>}
            <ChevronDown aria-hidden className="size-3.5 shrink-0" />
          </Button>
        )}
      </MenuButton>
      {asked === 'new' && (
        <SaveViewDialog
          list={list}
          place={place}
          where={canShare ? where : undefined}
          whyNotShare={whyNot}
          whyNotOwn={
            views.length >= listPreferenceLimits.views
              ? `You have ${listPreferenceLimits.views} views of this list, which is the limit`
              : undefined
          }
          ownNames={views.map(({ name }) => name)}
          sharedNames={shared.map(({ name }) => name)}
          contents={{ ...now, columns: [...columns] }}
          onOwn={(name) => {
            change((all) => [
              ...all,
              { name, ...now, columns: [...columns], isPinned: true, isDefault: false },
            ])
            named.current = name
          }}
          onShared={(view) => {
            choose(list, place, view, { isPinned: true, isDefault: false })
            named.current = view.id
          }}
          onClose={close}
        />
      )}
      {asked === 'rename' && !ofAll && (
        <RenameViewDialog
          name={own?.name ?? ''}
          others={views.filter((view) => view !== own).map(({ name }) => name)}
          onName={(name) => {
            changeOwn({ name })
            named.current = name
          }}
          onClose={close}
        />
      )}
      {asked === 'rename' && ofAll && (
        <RenameSharedDialog
          id={ofAll.id}
          where={where}
          others={shared.filter((view) => view !== ofAll).map(({ name }) => name)}
          onClose={close}
        />
      )}
      {asked === 'replace' && ofAll && (
        <ReplaceSharedDialog
          id={ofAll.id}
          where={where}
          contents={{ ...now, columns: [...columns] }}
          onSaved={() => forgetColumns(ofAll.id)}
          onClose={close}
        />
      )}
    </>
  )
}

/** Shows a shared view with its own columns again. */
function forgetColumns(id: string | undefined): void {
  const { saved, changed } = sharedColumns.get()
  if (id === undefined || !changed[id]) return
  const { [id]: _changed, ...others } = changed
  sharedColumns.set({ saved, changed: others })
}

/** Pins a shared view, or makes it the default. */
function choose(
  list: string,
  place: ListPlace | undefined,
  { id, name, filter, sort, columns }: SharedView,
  how: Pick<ChosenView, 'isPinned' | 'isDefault'>,
): void {
  const all = listPreference(list).sharedViews
  const projectName = place?.project ?? null
  const chosen: ChosenView = { id, name, filter, sort, columns, projectName, ...how }
  const isKept = how.isPinned || how.isDefault
  const sharedViews = all.some((each) => each.id === id)
    ? all.flatMap((each) => (each.id === id ? (isKept ? [chosen] : []) : [each]))
    : [...all, chosen]
  changeListPreference(list, { sharedViews })
}

/** Makes none of the shared views of a place the default. */
function clearDefault(list: string, place: ListPlace | undefined): void {
  const projectName = place?.project ?? null
  const { sharedViews } = listPreference(list)
  if (!sharedViews.some((each) => each.isDefault && each.projectName === projectName)) return
  changeListPreference(list, {
    sharedViews: sharedViews
      .map((each) => (each.projectName === projectName ? { ...each, isDefault: false } : each))
      .filter(({ isPinned, isDefault }) => isPinned || isDefault),
  })
}
