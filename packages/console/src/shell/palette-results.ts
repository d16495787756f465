import * as op from '@gantry/api/client/operations.gen'
import { nameMaxLength } from '@gantry/api/name.rules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Server from 'lucide-react/icons/server'
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

interface Results {
  results: Result[]
  /** The server may know more. */
  isSearching: boolean
}

/** What the typed text finds among the items and, by name, on the server; groups in the order of their best. */
export function useResults(typed: string, items: readonly PaletteItem[]): Results {
  const found: Result[] = fuzzyFilter(typed, items, ({ label }) => label).map(({ item, at }) => ({
    ...item,
    at,
  }))
  const known = new Set(items.map(({ to }) => to))
  const { hits, isSearching } = useHits(typed.trim())
  const unknown = hits.filter(({ to }) => !known.has(to))
  // Those of the letters before stay while they still match, so that the list does not empty with every letter.
  const matching = unknown.flatMap((hit) => {
    const match = fuzzyMatch(typed, hit.label)
    return match ? [{ ...hit, at: match.at }] : []
  })
  return { results: byGroup([...found, ...matching]), isSearching }
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

function useHits(typed: string): { hits: PaletteItem[]; isSearching: boolean } {
  const text = useSettled(typed, settleMs)
  const isAsked = typed !== '' && typed.length <= nameMaxLength && !isAbsent(op.search)
  const { data, isFetching } = useQuery({
    ...opQuery(op.search, { query: { text, limit: maxHits } }),
    enabled: isAsked && text !== '' && text.length <= nameMaxLength,
    placeholderData: keepPreviousData,
  })
  const hits = isAsked ? (data?.items ?? []) : []
  return {
    hits: hits.map(({ kind, name, projectName }) =>
      kind === 'project'
        ? { label: name, group: 'Go to project', icon: LayoutGrid, to: projectPaths.instances(name) }
        : {
            label: name,
            group: 'Go to instance',
            icon: Server,
            hint: projectName,
            to: instancePaths.storage(projectName, name),
          },
    ),
    isSearching: isAsked && (isFetching || text !== typed),
  }
}
