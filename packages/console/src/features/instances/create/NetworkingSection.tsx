import { noInterfaceForIps, noPrimaryForIps } from '@gantry/api/compute/instance.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhyLacking } from '#/data/fleet.ts'
import { Accordion } from '#/ui/Accordion.tsx'
import { Button } from '#/ui/Button.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { useFormField, useTextField } from '#/kit/forms/fields.tsx'
import { useOpenOnError } from '#/kit/forms/use-open-on-error.ts'
import { allFloatingIps, type FloatingIp } from '#/features/addresses/queries.ts'
import { type IpVersion, versionNames, versionOf } from '#/features/ip-pools/ip-version.ts'
import { allIpPools, type IpPool } from '#/features/ip-pools/queries.ts'
import type { InterfaceValues } from '#/features/addresses/interface-values.ts'
import { IpStackField } from '#/features/addresses/IpStackField.tsx'
import { addressPools, defaultPool, poolOptions } from '#/features/ip-pools/parts.tsx'
import { whyNoMoreInterfaces } from '#/features/addresses/reasons.ts'
import { useWatch } from 'react-hook-form'
import { hostnameOfManyProblem } from './batch-body.ts'
import { interfacesProblem, optionalHostnameProblem } from './problems.ts'
import { Lockable } from './template/Lockable.tsx'
import { useChosen } from './use-chosen.ts'
import { countOf, ephemeralFields, type InstanceValues, primaryVersions } from './values.ts'

const InterfaceForm = lazyPart(() => import('#/features/addresses/InterfaceForm.tsx'), 'InterfaceForm')
const FloatingIpDialog = lazyPart(
  () => import('#/features/addresses/ExternalIpDialogs.tsx'),
  'FloatingIpDialog',
)

export function NetworkingSection({ project }: { project: string }) {
  const ref = useOpenOnError(['interfaces', 'hostname', 'pool', 'poolIpv6'])
  return (
    <div ref={ref}>
      <Accordion title="Networking">
        <div className="space-y-5">
          <Lockable field="network_interfaces">
            <InterfaceFields project={project} />
          </Lockable>
          <HostnameField />
          <Lockable field="external_ips">
            <EphemeralFields />
            <FloatingFields project={project} />
          </Lockable>
        </div>
      </Accordion>
    </div>
  )
}

const types: readonly { value: InstanceValues['networkType']; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'default', label: 'Default' },
  { value: 'custom', label: 'Custom' },
]

function InterfaceFields({ project }: { project: string }) {
  const type = useFormField<InstanceValues['networkType']>('networkType')
  return (
    <>
      <Field group label="Network interface">
        <RadioGroup options={types} value={type.value} onChange={type.onChange} />
      </Field>
      {type.value === 'default' && <IpStackField />}
      {type.value === 'custom' && <CustomInterfaces project={project} />}
    </>
  )
}

const interfaceColumns = [
  { header: 'Name', cell: ({ name }: InterfaceValues) => name },
  { header: 'VPC', cell: ({ vpc }: InterfaceValues) => vpc },
  { header: 'Subnet', cell: ({ subnet }: InterfaceValues) => subnet },
]

function CustomInterfaces({ project }: { project: string }) {
  const { value, onChange, error, ref } = useFormField<InterfaceValues[]>('interfaces', interfacesProblem)
  const [isAdding, setAdding] = useState(false)
  return (
    <Field group label="Network Interfaces" error={error}>
      <div className="space-y-3">
        <MiniTable
          label="Network Interfaces"
          columns={interfaceColumns}
          items={value}
          itemKey={({ name }) => name}
          onRemove={({ name }) => onChange(value.filter((each) => each.name !== name))}
          removeLabel={({ name }) => `remove network interface ${name}`}
        />
        <Button
          ref={ref}
          aria-invalid={error ? true : undefined}
          disabledReason={whyNoMoreInterfaces(value)}
          onClick={() => setAdding(true)}
        >
          Add network interface
        </Button>
      </div>
      {isAdding && (
        <InterfaceForm
          project={project}
          others={value}
          save={async (added) => onChange([...value, added])}
          closeTo={() => setAdding(false)}
        />
      )}
    </Field>
  )
}

function HostnameField() {
  const [name, count, first] = useWatch<InstanceValues, ['name', 'count', 'first']>({
    name: ['name', 'count', 'first'],
  })
  const { input, error } = useTextField('hostname', (hostname) =>
    countOf({ count }) > 1
      ? hostnameOfManyProblem(hostname, { count, first })
      : optionalHostnameProblem(hostname),
  )
  return (
    <Field label="Hostname" hint="Defaults to the instance name." error={error} optional>
      <TextInput {...input} mono placeholder={name} />
    </Field>
  )
}

/** Why the new instance can have no external address, of any IP version or of one. */
function useWhyNoExternal(version?: IpVersion): string | undefined {
  const [networkType, ipStack, interfaces] = useWatch<
    InstanceValues,
    ['networkType', 'ipStack', 'interfaces']
  >({
    name: ['networkType', 'ipStack', 'interfaces'],
  })
  const external = useWhyLacking('external_addresses')
  const ipv6 = useWhyLacking('ipv6')
  const lacking = external ?? (version === 'v6' ? ipv6 : undefined)
  if (lacking) return lacking
  if (networkType === 'none') return noInterfaceForIps
  return !version || primaryVersions({ networkType, ipStack, interfaces }).includes(version)
    ? undefined
    : noPrimaryForIps[version]
}

/** That of IPv6 is offered where the silo has a pool for it: most have none. */
function EphemeralFields() {
  const { data: pools } = useSuspenseQuery(allIpPools)
  const offered = (version: IpVersion) => pools && addressPools(pools, [version])
  return (
    <>
      <EphemeralField version="v4" pools={offered('v4')} />
      {offered('v6')?.length ? <EphemeralField version="v6" pools={offered('v6')} /> : null}
    </>
  )
}

/** `pools` is null if the user may not list them. */
function EphemeralField({ version, pools }: { version: IpVersion; pools: readonly IpPool[] | null }) {
  const fields = ephemeralFields[version]
  const ephemeral = useFormField<boolean>(fields.ephemeral)
  const pool = useFormField<string>(fields.pool)
  const byDefault = defaultPool(pools ?? [])
  const label = version === 'v6' ? 'Ephemeral IPv6 address' : 'Ephemeral IP'
  const whyNone =
    useWhyNoExternal(version) ??
    (pools?.length === 0
      ? `No IP pool of ${versionNames[version]} is linked to this silo, so no address can be allocated`
      : undefined)
  return (
    <Field
      group
      label={label}
      hint={
        whyNone
          ? `${whyNone}.`
          : `Allocated ${pools ? '' : 'from the default pool '}when the instance is created and released when it is deleted.`
      }
    >
      <Checkbox
        checked={ephemeral.value && !whyNone}
        disabled={whyNone !== undefined}
        onChange={(event) => {
          ephemeral.onChange(event.target.checked)
          if (event.target.checked) pool.onChange(byDefault)
        }}
      >
        Allocate and attach an ephemeral {version === 'v6' ? 'IPv6' : 'IP'} address
      </Checkbox>
      {ephemeral.value && !whyNone && pools && (
        <div className="mt-2">
          <ChoiceField
            name={fields.pool}
            label={`IP pool for ${version === 'v6' ? 'ephemeral IPv6 address' : 'ephemeral IP'}`}
            placeholder={byDefault ? `${byDefault} (default)` : 'Select a pool'}
            options={poolOptions(pools)}
          />
        </div>
      )}
    </Field>
  )
}

const floatingColumns = [
  { header: 'Name', cell: ({ name }: FloatingIp) => name },
  { header: 'IP', cell: ({ ip }: FloatingIp) => <span className="font-mono text-[0.8125rem]">{ip}</span> },
]

function FloatingFields({ project }: { project: string }) {
  const { data: floatingIps } = useSuspenseQuery(allFloatingIps(project))
  const [networkType, ipStack, interfaces] = useWatch<
    InstanceValues,
    ['networkType', 'ipStack', 'interfaces']
  >({ name: ['networkType', 'ipStack', 'interfaces'] })
  const versions = primaryVersions({ networkType, ipStack, interfaces })
  const reaching = floatingIps.filter(({ ip }) => versions.includes(versionOf(ip)))
  // Without any interface, what was selected waits for one.
  const usable = networkType === 'none' ? floatingIps : reaching
  const { value, onChange } = useChosen(
    'floatingIps',
    usable.map(({ name }) => name),
  )
  const [isOpen, setOpen] = useState(false)
  const whyNoExternal = useWhyNoExternal()
  const free = reaching.filter(({ name, instanceId }) => !instanceId && !value.includes(name))
  return (
    <Field group label="Floating IPs" hint="Floating IPs outlive the instance.">
      {floatingIps.length === 0 ? (
        <div className="rounded-control border border-dashed border-control-line px-3 py-4 text-center text-sm">
          <strong className="block">No floating IPs found</strong>
          <span className="text-muted">Create a floating IP in this project to attach it here.</span>
        </div>
      ) : (
        <div className="space-y-3">
          <MiniTable
            label="Floating IPs"
            columns={floatingColumns}
            items={whyNoExternal ? [] : floatingIps.filter(({ name }) => value.includes(name))}
            itemKey={({ name }) => name}
            onRemove={({ name }) => onChange(value.filter((each) => each !== name))}
            removeLabel={({ name }) => `remove floating IP ${name}`}
          />
          <Button
            disabledReason={whyNoExternal ?? (free.length === 0 ? 'No floating IP is available' : undefined)}
            onClick={() => setOpen(true)}
          >
            Attach floating IP
          </Button>
        </div>
      )}
      {isOpen && (
        <FloatingIpDialog
          floatingIps={free}
          submitLabel="Attach"
          optionOf={({ name, ip, description }) => ({
            label: name,
            selectedLabel: `${name} (${ip})`,
            detail: [ip, description].filter(Boolean).join(' / '),
          })}
          onAttach={async ({ name }) => onChange([...value, name])}
          onClose={() => setOpen(false)}
        />
      )}
    </Field>
  )
}
