import { addressesOf } from '@gantry/api/network/interface-addresses.rules'
import * as op from '@gantry/api/client/operations.gen'
import type { ProbeState } from '@gantry/api/network/probe.rules'
import { createFileRoute, notFound } from '@tanstack/react-router'
import Radar from 'lucide-react/icons/radar'
import { currentUser } from '#/data/current-user.ts'
import { useOp } from '#/data/use-op.ts'
import { plainNameColumn } from '#/kit/list/columns.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { sledLink } from '#/features/inventory/links.ts'
import { type Probe, probesIn, useWhyNotProbes } from '#/features/probes/queries.ts'
import type { Column } from '#/ui/data/column.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/projects/$project/_probes')({
  // Users without a fleet role see no probes, whatever their project role.
  beforeLoad: async ({ context }) => {
    await context.prefetch(currentUser)
    if (!context.queryClient.getQueryData(currentUser.queryKey)?.fleetViewer) throw notFound()
  },
  validateSearch: pageSearch,
  loader: ({ params: { project }, ...visit }) => loadList(visit, probesIn(project)),
  staticData: { crumb: { label: 'Probes', to: '/projects/$project/probes' } },
  component: Probes,
})

function Probes() {
  const { project } = Route.useParams()
  return (
    <ResourceList
      kind="probe"
      icon={Radar}
      title="Probes"
      docs={
        <DocsPopover topic="probes" page="networking#probes">
          A probe is a diagnostic endpoint on a selected sled. It has an address in the project's default
          subnet and an external one, so that an operator can test both from that sled. It uses no quota.
        </DocsPopover>
      }
      list={useListPage(probesIn(project))}
      columns={probeColumns}
      actions={useProbeRowActions(project)}
      create={{
        link: { to: '/projects/$project/probes-new', params: { project } },
        whyNot: useWhyNotProbes(project),
      }}
      empty={{
        title: 'No probes',
        text: 'Create a probe to test the network of this project from a sled.',
      }}
    />
  )
}

const words: Record<ProbeState, { family: StateFamily; text: string }> = {
  running: { family: 'ok', text: 'Running' },
  unreachable: { family: 'fail', text: 'Unreachable' },
}

const probeColumns: Column<Probe>[] = [
  plainNameColumn<Probe>(),
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: ({ state }) =>
      state ? <StatePlate family={words[state].family}>{words[state].text}</StatePlate> : <EmptyCell />,
  },
  {
    id: 'sled',
    header: 'Sled',
    part: 'meta',
    cell: ({ sled, sledSerial }) => (
      <PageLink {...sledLink(sled)} className="link">
        {sledSerial ?? `Sled ${sled.slice(0, 8)}`}
      </PageLink>
    ),
  },
  {
    id: 'internal',
    header: 'Internal address',
    isLabelled: true,
    cell: ({ interface: { ipConfig } }) =>
      addressesOf({ ipStack: ipConfig }).map((ip) => <CopyableId key={ip} id={ip} max={39} />),
  },
  {
    id: 'external',
    header: 'External address',
    isLabelled: true,
    cell: ({ externalIps }) => externalIps.map(({ ip }) => <CopyableId key={ip} id={ip} max={39} />),
  },
  {
    id: 'description',
    header: 'Description',
    part: 'meta',
    cell: ({ description }) => (description ? <Truncate text={description} max={48} /> : <EmptyCell />),
  },
  {
    id: 'created',
    header: 'Created',
    part: 'meta',
    rank: 'low',
    cell: ({ timeCreated }) => (timeCreated ? <DateTime value={timeCreated} /> : <EmptyCell />),
  },
]

function useProbeRowActions(project: string): ActionsOf<Probe> {
  const disabled = useWhyNotProbes(project)
  const remove = useOp(op.probeDelete)
  return ({ name }) => [
    {
      label: 'Delete',
      disabled,
      onSelect: () =>
        confirmDelete({
          kind: 'probe',
          name,
          gone: 'It stops on its sled, and its addresses become available to others.',
          run: () => remove.run({ path: { probe: name }, query: { project } }),
        }),
    },
  ]
}
