import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { DeferredValue } from '#/kit/page/deferred.tsx'
import { IpLink } from '#/kit/links/IpLink.tsx'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { IpPoolName } from '#/features/ip-pools/parts.tsx'
import { allIpPools } from '#/features/ip-pools/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { plural } from '#/ui/data/format.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { Gateway, GatewayAddress, GatewayPool } from '../queries.ts'
import { detachmentOf } from './consequences.ts'
import { type GatewayParts, known, whyNoMoreAddresses, whyNoMorePools } from './parts.ts'
import { Section } from './Section.tsx'

const AttachAddressDialog = lazyPart(() => import('./AttachDialogs.tsx'), 'AttachAddressDialog')
const AttachPoolDialog = lazyPart(() => import('./AttachDialogs.tsx'), 'AttachPoolDialog')

interface Props {
  project: string
  gateway: Gateway
  parts: GatewayParts
}

/** The IP address of a gateway, of which it has at most one. */
export function AddressSection({ project, gateway, parts: { addresses, pools, routes } }: Props) {
  const [isAttaching, setAttaching] = useState(false)
  const whyNotAllowed = useWhyNotNetworks(project)
  const whyNoMore = whyNotAllowed ?? whyNoMoreAddresses(addresses)
  const detach = useOp(op.internetGatewayIpAddressDelete)
  usePaletteItems(whyNoMore ? [] : [{ label: 'Attach IP address', run: () => setAttaching(true) }])
  return (
    <DeferredValue
      of={addresses}
      render={(all) => (
        <Section
          title={`Internet gateway IP ${all.length > 1 ? 'addresses' : 'address'}`}
          action={
            <Button disabledReason={whyNoMore} onClick={() => setAttaching(true)}>
              Attach IP address
            </Button>
          }
        >
          {all.length === 0 && <NoAddress hasPool={known(pools).length > 0} />}
          {all.map((address) => (
            <Attachment
              key={address.id}
              attachment={address}
              label="IP Address"
              value={<IpLink ip={address.address} />}
              whyNot={whyNotAllowed}
              onDetach={() =>
                askDetach('IP address', gateway, address, routes, (cascade) =>
                  detach.run({ path: { address: address.id }, query: cascade }),
                )
              }
            />
          ))}
          {isAttaching && <AttachAddressDialog gateway={gateway} onClose={() => setAttaching(false)} />}
        </Section>
      )}
    />
  )
}

const NoAddress = ({ hasPool }: { hasPool: boolean }) => (
  <p>
    No IP address is attached to this internet gateway.{' '}
    {hasPool
      ? 'An address from the attached IP pool will be used.'
      : 'Attach one, or attach an IP pool, to let traffic out.'}
  </p>
)

/** The IP pools of a gateway. */
export function PoolsSection({ project, gateway, parts: { pools, routes } }: Props) {
  const [isAttaching, setAttaching] = useState(false)
  const { data: ofSilo } = useQuery(allIpPools)
  const whyNotAllowed = useWhyNotNetworks(project)
  const whyNoMore = whyNotAllowed ?? whyNoMorePools(pools, ofSilo)
  const detach = useOp(op.internetGatewayIpPoolDelete)
  usePaletteItems(whyNoMore ? [] : [{ label: 'Attach IP pool', run: () => setAttaching(true) }])
  return (
    <DeferredValue
      of={pools}
      render={(all) => (
        <Section
          title={plural('Internet gateway IP pool', all.length || 1)}
          action={
            <Button disabledReason={whyNoMore} onClick={() => setAttaching(true)}>
              Attach IP pool
            </Button>
          }
        >
          {all.length === 0 && <p>No IP pool is attached to this internet gateway.</p>}
          {all.map((pool) => (
            <Attachment
              key={pool.id}
              attachment={pool}
              label="IP Pool Name"
              value={<IpPoolName id={pool.ipPoolId} />}
              whyNot={whyNotAllowed}
              onDetach={() =>
                askDetach('IP pool', gateway, pool, routes, (cascade) =>
                  detach.run({ path: { pool: pool.id }, query: cascade }),
                )
              }
            />
          ))}
          {isAttaching && (
            <AttachPoolDialog
              gateway={gateway}
              pools={(ofSilo ?? []).filter(({ id }) => !all.some(({ ipPoolId }) => ipPoolId === id))}
              onClose={() => setAttaching(false)}
            />
          )}
        </Section>
      )}
    />
  )
}

interface AttachmentProps {
  attachment: Pick<GatewayPool, 'name' | 'description'>
  label: string
  value: ReactNode
  whyNot: string | undefined
  onDetach: () => void
}

function Attachment({ attachment: { name, description }, label, value, whyNot, onDetach }: AttachmentProps) {
  return (
    <div className="space-y-2">
      <DataPlate narrow>
        <DataItem label="Name">{name}</DataItem>
        <DataItem label="Description">{description || <EmptyCell />}</DataItem>
        <DataItem label={label} wide>
          {value}
        </DataItem>
      </DataPlate>
      <Button disabledReason={whyNot} onClick={onDetach}>
        Detach {name}
      </Button>
    </div>
  )
}

/** An attachment's id needs no gateway; its name need not be unique. */
function askDetach(
  what: 'IP pool' | 'IP address',
  gateway: Gateway,
  { name }: Pick<GatewayPool | GatewayAddress, 'name'>,
  routes: GatewayParts['routes'],
  run: (query: { cascade?: boolean }) => Promise<unknown>,
): void {
  const { cascade, sentences } = detachmentOf(gateway, what, known(routes))
  confirmAction({
    title: `Confirm detach ${what}`,
    content: (
      <>
        <p>
          Are you sure you want to detach <strong>{name}</strong> from {gateway.name}?
        </p>
        {sentences.length > 0 && <p>{sentences.join(' ')}</p>}
      </>
    ),
    kind: 'danger',
    confirmLabel: 'Detach',
    pendingLabel: 'Detaching',
    errorTitle: `Could not detach ${what}`,
    success: successMessage(what, name, 'detached'),
    run: () => run(cascade ? { cascade } : {}),
  })
}
