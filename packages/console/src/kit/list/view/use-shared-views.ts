// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isAbsent } from '#/data/extensions.ts'
import { sharedColumns } from '#/data/list-preferences.ts'
import { canQuery, useWhyNot } from '#/data/permissions.ts'
import { allQuery } from '#/data/queries.ts'
import type { ListPlace } from '../found-list.ts'

export type SharedView = OutputOf<'sharedViewView'>

const none: readonly SharedView[] = []

/** Views of a list that others share where it is, by name; without a place, none are shared. */
export function useSharedViews(list: string, place: ListPlace | undefined) {
  const project = place?.project
  const canShare = place !== undefined && !isAbsent(op.sharedViewList)
  // Users with roles in projects alone do not see what is shared in the silo.
  const { data: inSilo } = useQuery({
    ...canQuery({ action: 'list_children', object: 'silo' }),
    enabled: project === undefined && !isAbsent(op.permissionCheck),
  })
  const { data: all = none } = useQuery({
    ...allQuery(op.sharedViewList, { query: { list, ...(project !== undefined && { project }) } }),
    enabled: canShare && (project !== undefined || inSilo?.allowed === true),
    // The answer that none are shared renders nothing again.
    select: (views) => (views.length === 0 ? undefined : views),
  })
  const whyNot = useWhyNot(
    project === undefined
      ? { action: 'create_child', object: 'silo_view' }
      : { action: 'create_child', object: 'project', id: project },
  )
  useEffect(() => {
    if (all.length === 0) return
    const { saved, changed } = sharedColumns.get()
    const loaded = Object.fromEntries(all.map(({ id, columns }) => [id, columns]))
    sharedColumns.set({ saved: { ...saved, ...loaded }, changed })
  }, [all])
  return {
    shared: all.toSorted((one, other) => one.name.localeCompare(other.name)),
    canShare,
    /** Why the user may change none of them, nor share another. */
    whyNot,
    where: project === undefined ? 'the silo' : `project ${project}`,
  }
}
