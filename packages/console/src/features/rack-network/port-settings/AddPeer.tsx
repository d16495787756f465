import { ipNetProblem } from '@gantry/api/base/ip.rules'
import { defaultRouterLifetime, routerLifetimeMax } from '@gantry/api/rack-network/bgp.rules'
import { peerAddressProblem } from '@gantry/api/rack-network/peer-address.rules'
import { md5KeyProblem, peerTimers } from '@gantry/api/rack-network/switch-port.rules'
import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { CheckboxField, ChoiceField, NumberField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import { allBgpConfigs } from '../bgp/queries.ts'
import { maxU32, numberProblem, optionalProblem } from '../fields.tsx'
import { networksOf } from '../states.ts'
import { firstLink, LinkField } from './AddParts.tsx'
import type { PeerValue } from './values.ts'

interface Props {
  links: readonly string[]
  onAdd: (peer: PeerValue) => Promise<PeerValue>
  onClose: () => void
}

const initialOf = (links: readonly string[]) => ({
  linkName: firstLink(links),
  bgpConfig: '',
  kind: 'numbered',
  addr: '',
  sourceAddr: '',
  routerLifetime: defaultRouterLifetime as number | null,
  remoteAsn: null as number | null,
  md5AuthKey: '',
  holdTime: peerTimers.hold_time as number | null,
  keepalive: peerTimers.keepalive as number | null,
  connectRetry: peerTimers.connect_retry as number | null,
  idleHoldTime: peerTimers.idle_hold_time as number | null,
  delayOpen: peerTimers.delay_open as number | null,
  minTtl: null as number | null,
  localPref: null as number | null,
  multiExitDiscriminator: null as number | null,
  communities: '',
  imports: '',
  exports: '',
  enforceFirstAs: false,
})

const timers = [
  ['holdTime', 'Hold time'],
  ['keepalive', 'Keepalive interval'],
  ['connectRetry', 'Connect retry'],
  ['idleHoldTime', 'Idle hold time'],
  ['delayOpen', 'Open delay'],
] as const

const optionalNumbers = [
  ['remoteAsn', 'Remote AS number', maxU32],
  ['minTtl', 'Minimum TTL', 255],
  ['localPref', 'Local preference', maxU32],
  ['multiExitDiscriminator', 'Multi-exit discriminator', maxU32],
] as const

export function AddPeer({ links, onAdd, onClose }: Props) {
  const configs = useQuery(allBgpConfigs)
  return (
    <DialogForm
      title="Add BGP peer"
      submitLabel="Add BGP peer"
      initial={initialOf(links)}
      save={(values) => onAdd(peerFrom(values))}
      onClose={onClose}
    >
      <LinkField links={links} />
      <ChoiceField
        name="bgpConfig"
        label="BGP configuration"
        placeholder="Select a BGP configuration"
        options={(configs.data ?? []).map(({ id, name, asn }) => ({
          value: id,
          label: name,
          detail: `AS ${asn}`,
        }))}
        {...choicesOf(configs)}
      />
      <PeerFields />
      <TextField name="md5AuthKey" label="MD5 key" optional problem={md5KeyProblem} />
      {optionalNumbers.map(([name, label, max]) => (
        <NumberField
          key={name}
          name={name}
          label={label}
          hint="Empty for none"
          problem={optionalProblem(0, max)}
        />
      ))}
      {timers.map(([name, label]) => (
        <NumberField
          key={name}
          name={name}
          label={label}
          unit="s"
          problem={numberProblem(label, 0, maxU32)}
        />
      ))}
      <TextField
        name="communities"
        label="Communities"
        hint="Numbers, separated by spaces"
        optional
        mono
        problem={communitiesProblem}
      />
      <TextField
        name="imports"
        label="Networks to learn"
        hint="One per line; empty for all"
        optional
        mono
        multiline
        problem={filterProblem}
      />
      <TextField
        name="exports"
        label="Networks to announce"
        hint="One per line; empty for all of the announce set"
        optional
        mono
        multiline
        problem={filterProblem}
      />
      <CheckboxField name="enforceFirstAs">
        Accept only paths that begin with the peer's AS number
      </CheckboxField>
    </DialogForm>
  )
}

const kinds = [
  { value: 'numbered', label: 'A router with an address' },
  { value: 'unnumbered', label: 'Whichever router is at the other end of the link' },
] as const

function PeerFields() {
  const kind = useWatch({ name: 'kind' }) as (typeof kinds)[number]['value']
  return (
    <>
      <RadioField name="kind" label="Peer" options={kinds} />
      {kind === 'numbered' ? (
        <>
          <TextField name="addr" label="Peer address" mono problem={peerAddressProblem} />
          <TextField
            name="sourceAddr"
            label="Source address"
            hint="Empty to let the switch choose"
            optional
            mono
            problem={peerAddressProblem}
          />
        </>
      ) : (
        <NumberField
          name="routerLifetime"
          label="Router lifetime"
          unit="s"
          hint="For how long the switch announces itself as a router on the link"
          problem={numberProblem('Router lifetime', 0, routerLifetimeMax)}
        />
      )}
    </>
  )
}

function peerFrom(values: ReturnType<typeof initialOf>): PeerValue {
  const { remoteAsn, minTtl, localPref, multiExitDiscriminator } = values
  return {
    linkName: values.linkName,
    bgpConfig: values.bgpConfig,
    addr: typeFrom(values),
    enforceFirstAs: values.enforceFirstAs,
    holdTime: values.holdTime ?? 0,
    keepalive: values.keepalive ?? 0,
    connectRetry: values.connectRetry ?? 0,
    idleHoldTime: values.idleHoldTime ?? 0,
    delayOpen: values.delayOpen ?? 0,
    communities: numbersOf(values.communities).map(Number),
    allowedImport: policyOf(values.imports),
    allowedExport: policyOf(values.exports),
    // Without it, the server would keep the key of a removed peer with the same address.
    md5AuthKey: values.md5AuthKey || null,
    ...(remoteAsn !== null && { remoteAsn }),
    ...(minTtl !== null && { minTtl }),
    ...(localPref !== null && { localPref }),
    ...(multiExitDiscriminator !== null && { multiExitDiscriminator }),
  }
}

const typeFrom = ({
  kind,
  addr,
  sourceAddr,
  routerLifetime,
}: ReturnType<typeof initialOf>): PeerValue['addr'] =>
  kind === 'numbered'
    ? { type: 'numbered', targetAddr: addr, ...(sourceAddr && { srcAddr: sourceAddr }) }
    : { type: 'unnumbered', routerLifetime: routerLifetime ?? 0 }

function policyOf(text: string): PeerValue['allowedImport'] {
  const value = networksOf(text)
  return value.length === 0 ? { type: 'no_filtering' } : { type: 'allow', value }
}

const numbersOf = (text: string): string[] => text.split(/[\s,]+/).filter((each) => each !== '')

function communitiesProblem(text: string): string | undefined {
  const wrong = numbersOf(text).find((each) => !/^\d{1,10}$/.test(each) || Number(each) > maxU32)
  return wrong === undefined ? undefined : `${wrong} is not a number from 0 to ${maxU32}`
}

function filterProblem(text: string): string | undefined {
  for (const network of networksOf(text)) {
    const problem = ipNetProblem(network)
    if (problem) return `${network}: ${problem}`
  }
  return undefined
}
