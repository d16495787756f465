import { useQuery } from '@tanstack/react-query'
import { Sparkline } from '#/ui/data/Sparkline.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { Instance } from '../queries.ts'
import { cpuUseEveryMs, cpuUseOf, shownMinutes } from './cpu-use.ts'

interface Props {
  project: string
  /** The page's rows: its query covers all of them. */
  rows: readonly Instance[]
  id: string
}

/** The newest value with a sparkline. `CpuUseReader` reads the data. */
export function CpuUseCell({ project, rows, id }: Props) {
  const { data } = useQuery({ ...cpuUseOf(project, rows), enabled: false })
  const values = data?.get(id)
  const numbers = (values ?? []).filter((value) => value !== null)
  const newest = values?.at(-1) ?? null
  if (!values || numbers.length === 0) return <EmptyCell />
  return (
    <span className="inline-flex items-center gap-2">
      <Sparkline values={values} top={100} />
      <span className="min-w-9 text-right tabular-nums">{newest === null ? 'Off' : percentText(newest)}</span>
      <span className="sr-only">
        {percentText(Math.min(...numbers))} to {percentText(Math.max(...numbers))} in {shownMinutes} minutes
      </span>
    </span>
  )
}

const percentText = (value: number): string => `${Math.round(value)}%`

/** Reads the CPU use of a page once a minute, so that not every cell needs a timer. */
export function CpuUseReader({ project, rows }: { project: string; rows: readonly Instance[] }) {
  useQuery({ ...cpuUseOf(project, rows), refetchInterval: cpuUseEveryMs })
  return null
}
