import { useQuery } from '@tanstack/react-query'
import { ipProblem } from '@gantry/api/ip.rules'
import { useFormContext, useWatch } from 'react-hook-form'
import { ChoiceField } from '../common/forms/choice-fields.tsx'
import { DescriptionField, NameField, TextField } from '../common/forms/fields.tsx'
import { SideForm } from '../common/forms/SideForm.tsx'
import { emptyInterface, type InterfaceValues } from './interface-values.ts'
import { allSubnets, allVpcs } from './queries.ts'

interface Props<Saved> {
  project: string
  takenNames?: readonly string[]
  save: (values: InterfaceValues) => Promise<Saved>
  closeTo: () => void
}

/** A network interface to be. */
export function InterfaceForm<Saved>({ project, takenNames, save, closeTo }: Props<Saved>) {
  return (
    <SideForm title="Add network interface" initial={emptyInterface} save={save} closeTo={closeTo}>
      <NameField
        name="name"
        problem={(name) => (takenNames?.includes(name) ? 'Name is already in use' : undefined)}
      />
      <DescriptionField name="description" />
      <PlaceFields project={project} />
      <TextField
        name="ip"
        label="IP Address"
        hint="Any free address of the subnet if left blank."
        optional
        mono
        problem={(ip) => ipProblem(ip.trim())}
      />
    </SideForm>
  )
}

function PlaceFields({ project }: { project: string }) {
  const form = useFormContext<InterfaceValues>()
  const vpc = useWatch<InterfaceValues, 'vpc'>({ name: 'vpc' })
  const vpcs = useQuery(allVpcs(project))
  const subnets = useQuery({ ...allSubnets(project, vpc), enabled: vpc !== '' })
  return (
    <>
      <ChoiceField
        name="vpc"
        label="VPC"
        placeholder="Select a VPC"
        loading={vpcs.isPending}
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
        loading={vpc !== '' && subnets.isPending}
        options={(subnets.data ?? []).map(({ name, ipv4Block }) => ({
          value: name,
          label: name,
          detail: ipv4Block,
        }))}
      />
    </>
  )
}
