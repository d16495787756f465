// @chunk instance-networking: of one tab, which the other tabs of an instance do not need.
import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useWhyLacking } from '#/data/fleet.ts'
import { useChanged } from '#/data/live.ts'
import { useOp } from '#/data/use-op.ts'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { externalIpColumns, ipKey } from '#/features/addresses/external-ip-columns.tsx'
import { allFloatingIps, byKind, type FloatingIp } from '#/features/addresses/queries.ts'
import { addressPools } from '#/features/ip-pools/parts.tsx'
import { fromPool } from '#/features/ip-pools/pool-selector.ts'
import { allIpPools, type IpPool } from '#/features/ip-pools/queries.ts'
import {
  freeFloatingIps,
  missingVersions,
  whyNoFloatingIp,
  whyNoMoreIps,
} from '#/features/addresses/reasons.ts'
import { Button } from '#/ui/Button.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { instanceAt, instanceExternalIps, instanceInterfaces, instanceView } from '../queries.ts'
import { useExternalIpActions } from './use-external-ip-actions.tsx'

const EphemeralIpDialog = lazyPart(
  () => import('#/features/addresses/ExternalIpDialogs.tsx'),
  'EphemeralIpDialog',
)
const FloatingIpDialog = lazyPart(
  () => import('#/features/addresses/ExternalIpDialogs.tsx'),
  'FloatingIpDialog',
)

interface Props {
  project: string
  instance: string
}

/** External addresses of an instance. */
export function ExternalIpsCard({ project, instance: name }: Props) {
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  const { data: ips } = useSuspenseQuery(instanceExternalIps(project, name))
  const { data: interfaces } = useSuspenseQuery(instanceInterfaces(project, name))
  const { data: floatingIps } = useSuspenseQuery(allFloatingIps(project))
  const { data: pools } = useSuspenseQuery(allIpPools)
  const [open, setOpen] = useState<'ephemeral' | 'floating'>()
  const close = () => setOpen(undefined)
  const changed = useChanged()
  const rows = useMemo(() => byKind(ips.items), [ips])
  const actions = useExternalIpActions({ project, instance })

  const whyNotAllowed = useWhyNotInProject(project)
  const whyNoExternal = useWhyLacking('external_addresses')
  const whyNoMore = whyNotAllowed ?? whyNoExternal ?? whyNoMoreIps(instance.runState, ips.items)
  const free = freeFloatingIps(floatingIps, interfaces.items)
  const whyNoFloating = whyNoMore ?? whyNoFloatingIp(free)
  const missing = missingVersions(ips.items, interfaces.items, pools)
  const canHaveEphemeral = missing.length > 0
  const offered = pools && addressPools(pools, missing)

  const attachEphemeral = useOp(op.instanceEphemeralIpAttach)
  const attachFloating = useOp(op.floatingIpAttach)

  usePaletteItems([
    ...(canHaveEphemeral && !whyNoMore
      ? [{ label: 'Attach ephemeral IP', run: () => setOpen('ephemeral') }]
      : []),
    ...(whyNoFloating ? [] : [{ label: 'Attach floating IP', run: () => setOpen('floating') }]),
  ])

  return (
    <Card
      title="External IPs"
      flush
      actions={
        <>
          {canHaveEphemeral && (
            <Button disabledReason={whyNoMore} onClick={() => setOpen('ephemeral')}>
              Attach ephemeral IP
            </Button>
          )}
          <Button disabledReason={whyNoFloating} onClick={() => setOpen('floating')}>
            Attach floating IP
          </Button>
        </>
      }
    >
      <Table
        inset
        label="External IPs"
        columns={externalIpColumns}
        rows={rows}
        rowKey={ipKey}
        changedKeys={changed}
        actions={actions}
        empty={
          <CardEmpty title="No external IPs">Attach an address to make the instance reachable.</CardEmpty>
        }
      />
      {open === 'ephemeral' && (
        <EphemeralIpDialog
          pools={offered}
          onAttach={(pool) =>
            attachEphemeral.run({ ...instanceAt(project, name), body: fromPool(pool, missing[0]) })
          }
          saved={({ ip }) => successMessage('IP', ip, 'attached')}
          onClose={close}
        />
      )}
      {open === 'floating' && (
        <FloatingIpDialog
          floatingIps={free}
          instance={name}
          submitLabel="Attach floating IP"
          optionOf={(floatingIp) => floatingIpOption(floatingIp, pools)}
          onAttach={({ id }) =>
            attachFloating.run({
              path: { floatingIp: id },
              query: {},
              body: { kind: 'instance', parent: instance.id },
            })
          }
          saved={(attached) => successMessage('IP', attached.name, 'attached')}
          onClose={close}
        />
      )}
    </Card>
  )
}

function floatingIpOption({ name, ip, ipPoolId, description }: FloatingIp, pools: readonly IpPool[] | null) {
  const pool = pools?.find(({ id }) => id === ipPoolId)?.name
  return { label: name, detail: [ip, pool, description].filter(Boolean).join(' / ') }
}
