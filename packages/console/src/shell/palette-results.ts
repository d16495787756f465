import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { LayoutGrid, Server } from 'lucide-react'
import { isAbsent } from '../data/extensions.ts'
import { opQuery } from '../data/queries.ts'
import { fuzzyFilter, fuzzyMatch } from '../features/common/fuzzy.ts'
import type { PaletteItem } from '../features/common/palette-items.ts'
import { useSettled } from '../features/common/use-settled.ts'
import { instancePaths } from '../features/instances/queries.ts'
import { projectPaths } from '../features/projects/queries.ts'

export interface Result extends PaletteItem {
  /** Letters to mark. */
  at: readonly number[]
}

const settleMs = 150
const maxHits = 10

/** What the typed text finds among the items and, by name, on the server; groups in the order of their best. */
export function useResults(typed: string, items: readonly PaletteItem[]): Result[] {
  const found: Result[] = fuzzyFilter(typed, items, ({ label }) => label).map(({ item, at }) => ({
    ...item,
    at,
  }))
  const known = new Set(items.map(({ to }) => to))
  const hits = useHits(typed).filter(({ to }) => !known.has(to))
  return byGroup([...found, ...hits.map((hit) => ({ ...hit, at: fuzzyMatch(typed, hit.label)?.at ?? [] }))])
}

/** Items of a group stand together, however well each of them matches. */
function byGroup(results: readonly Result[]): Result[] {
  const groups = new Map<string, Result[]>()
  for (const result of results) {
    const group = result.group ?? 'Actions'
    groups.set(group, [...(groups.get(group) ?? []), result])
  }
  return [...groups.values()].flat()
}

function useHits(typed: string): PaletteItem[] {
  const text = useSettled(typed.trim(), settleMs)
  const query = { text, limit: maxHits }
  const { data } = useQuery({
    ...opQuery(op.search, { query }),
    enabled: text !== '' && text.length <= 63 && !isAbsent(op.search),
  })
  if (typed.trim() === '') return []
  return (data?.items ?? []).map(({ kind, name, projectName }) =>
    kind === 'project'
      ? { label: name, group: 'Go to project', icon: LayoutGrid, to: projectPaths.instances(name) }
      : {
          label: name,
          group: 'Go to instance',
          icon: Server,
          hint: projectName,
          to: instancePaths.storage(projectName, name),
        },
  )
}
