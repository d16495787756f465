import type { Column } from '#/ui/data/column.ts'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import type { Membership } from './queries.ts'

const Mono = ({ text }: { text: string }) => <span className="font-mono text-[0.8125rem]">{text}</span>

export const sourcesText = (sources: readonly string[]): string =>
  sources.length === 0 ? 'Any' : sources.join(', ')

export const addressColumn = <Row extends { multicastIp: string }>(): Column<Row> => ({
  id: 'address',
  header: 'Address',
  part: 'meta',
  cell: ({ multicastIp }) => <Mono text={multicastIp} />,
})

/** A member of a stopped instance hears nothing. */
const families = { Joined: 'ok', Joining: 'busy', Left: 'idle' } as const

export const stateColumn: Column<Membership> = {
  id: 'state',
  header: 'State',
  part: 'state',
  cell: ({ state }) => (
    <StatePlate family={families[state as keyof typeof families] ?? 'idle'}>{state.toLowerCase()}</StatePlate>
  ),
}

export const sourcesColumn: Column<Membership> = {
  id: 'sources',
  header: 'Sources',
  isLabelled: true,
  cell: ({ sourceIps }) => <Mono text={sourcesText(sourceIps)} />,
}
