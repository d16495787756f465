import { noInterfaceForIps, noIpv4ForIps } from '@gantry/api/compute/instance.rules'
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
import { allIpPools } from '#/features/ip-pools/queries.ts'
import type { InterfaceValues } from '#/features/addresses/interface-values.ts'
import { IpStackField } from '#/features/addresses/IpStackField.tsx'
import { defaultPool, poolOptions } from '#/features/ip-pools/parts.tsx'
import { whyNoMoreInterfaces } from '#/features/addresses/reasons.ts'
import { useWatch } from 'react-hook-form'
import { hostnameOfManyProblem } from './batch-body.ts'
import { interfacesProblem, optionalHostnameProblem } from './problems.ts'
import { Lockable } from './template/Lockable.tsx'
import { useChosen } from './use-chosen.ts'
import { countOf, hasPrimaryIpv4, type InstanceValues } from './values.ts'

const InterfaceForm = lazyPart(() => import('#/features/addresses/InterfaceForm.tsx'), 'InterfaceForm')
const FloatingIpDialog = lazyPart(
  () => import('#/features/addresses/ExternalIpDialogs.tsx'),
  'FloatingIpDialog',
)

export function NetworkingSection({ project }: { project: string }) {
  const ref = useOpenOnError(['interfaces', 'hostname', 'pool'])
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

/** Why the new instance can have no external address. */
function useWhyNoExternal(): string | undefined {
  const [networkType, ipStack, interfaces] = useWatch<
    InstanceValues,
    ['networkType', 'ipStack', 'interfaces']
  >({
    name: ['networkType', 'ipStack', 'interfaces'],
  })
  const lacking = useWhyLacking('external_addresses')
  if (lacking) return lacking
  if (networkType === 'none') return noInterfaceForIps
  return hasPrimaryIpv4({ networkType, ipStack, interfaces }) ? undefined : noIpv4ForIps
}

function EphemeralFields() {
  const { data: pools } = useSuspenseQuery(allIpPools)
  const ephemeral = useFormField<boolean>('ephemeral')
  const pool = useFormField<string>('pool')
  const byDefault = defaultPool(pools ?? [])
  const whyNone =
    useWhyNoExternal() ??
    (pools?.length === 0 ? 'No IP pool is linked to this silo, so no address can be allocated' : undefined)
  return (
    <Field
      group
      label="Ephemeral IP"
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
        Allocate and attach an ephemeral IP address
      </Checkbox>
      {ephemeral.value && !whyNone && pools && (
        <div className="mt-2">
          <ChoiceField
            name="pool"
            label="IP pool for ephemeral IP"
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
  const names = floatingIps.map(({ name }) => name)
  const { value, onChange } = useChosen('floatingIps', names)
  const [isOpen, setOpen] = useState(false)
  const whyNoExternal = useWhyNoExternal()
  const free = floatingIps.filter(({ name, instanceId }) => !instanceId && !value.includes(name))
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
