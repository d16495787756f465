import { useQuery } from '@tanstack/react-query'
import { subnetProblem } from '@gantry/api/network/network-interface.rules'
import type { ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { Send } from '#/data/client.ts'
import { useWhyLacking } from '#/data/fleet.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField, TextField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { addressProblem, emptyInterface, type InterfaceValues } from './interface-values.ts'
import { IpStackField } from './IpStackField.tsx'
import { useOffered } from '#/kit/list/use-offered.ts'
import { allSubnets, offeredVpcs } from '#/features/vpcs/queries.ts'

interface Props<Saved> {
  project: string
  /** The parent object. */
  context?: string
  /** Other new interfaces of the form, which do not exist on the server yet. */
  others?: readonly InterfaceValues[]
  save: (values: InterfaceValues, send?: Send) => Promise<Saved>
  saved?: (result: Saved) => ReactNode
  closeTo: () => void
}

/** Fields of a new network interface. */
export function InterfaceForm<Saved>(props: Props<Saved>) {
  const { project, context, others = [], save, saved, closeTo } = props
  const lacksIpv6 = useWhyLacking('ipv6') !== undefined
  return (
    <SideForm
      title="Add network interface"
      context={context}
      pendingLabel="Adding network interface"
      initial={lacksIpv6 ? { ...emptyInterface, ipStack: 'v4' } : emptyInterface}
      check={(values) => subnetProblem(values, others)}
      save={save}
      {...(saved && { saved })}
      closeTo={closeTo}
    >
      <NameField
        name="name"
        problem={(name) =>
          others.some((other) => other.name === name) ? 'Name is already in use' : undefined
        }
      />
      <DescriptionField name="description" />
      <PlaceFields project={project} />
      <AddressFields />
    </SideForm>
  )
}

/** The IP versions, where there is a choice, and an address of each. */
function AddressFields() {
  const ipStack = useWatch<InterfaceValues, 'ipStack'>({ name: 'ipStack' })
  return (
    <>
      <IpStackField />
      {ipStack !== 'v6' && <AddressField name="ip" version={4} />}
      {ipStack !== 'v4' && <AddressField name="ipv6" version={6} />}
    </>
  )
}

function AddressField({ name, version }: { name: 'ip' | 'ipv6'; version: 4 | 6 }) {
  return (
    <TextField
      name={name}
      label={`IPv${version} address`}
      hint="Leave blank to use any free address in the subnet."
      optional
      mono
      problem={(text) => addressProblem(text, version)}
    />
  )
}

function PlaceFields({ project }: { project: string }) {
  const form = useFormContext<InterfaceValues>()
  const vpc = useWatch<InterfaceValues, 'vpc'>({ name: 'vpc' })
  const vpcs = useOffered(offeredVpcs(project))
  const subnets = useQuery({ ...allSubnets(project, vpc), enabled: vpc !== '' })
  return (
    <>
      <ChoiceField
        name="vpc"
        label="VPC"
        placeholder="Select a VPC"
        {...choicesOf(vpcs)}
        onChoose={() => form.setValue('subnet', '')}
        options={(vpcs.data ?? []).map(({ name, description }) => ({
          value: name,
          label: name,
          ...(description && { detail: description }),
        }))}
      />
      <ChoiceField
        name="subnet"
        label="Subnet"
        placeholder={
          vpc === ''
            ? 'Select a VPC first'
            : subnets.data?.length === 0
              ? 'No subnets found'
              : 'Select a subnet'
        }
        disabled={vpc === ''}
        {...choicesOf(subnets)}
        options={(subnets.data ?? []).map(({ name, ipv4Block }) => ({
          value: name,
          label: name,
          detail: ipv4Block,
        }))}
      />
    </>
  )
}
