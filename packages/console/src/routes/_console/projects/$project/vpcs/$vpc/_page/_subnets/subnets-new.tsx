import * as op from '@gantry/api/client/operations.gen'
import { overlapping, subnetIpv4FieldProblem, subnetIpv6FieldProblem } from '@gantry/api/network/vpc.rules'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField, TextField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { vpcLink } from '#/features/vpcs/links.ts'
import { allSubnets, vpcView } from '#/features/vpcs/queries.ts'
import { refusedField } from '#/features/vpcs/subnets/refused-field.ts'
import { routerChoice, RouterField, routerOf } from '#/features/vpcs/subnets/RouterField.tsx'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_subnets/subnets-new')({
  staticData: { title: 'New subnet' },
  component: SubnetNew,
})

const initial = {
  name: '',
  description: '',
  ipv4Block: '',
  ipv6Block: '',
  customRouter: routerChoice(undefined),
}

function SubnetNew() {
  const { project, vpc } = Route.useParams()
  const { data: network } = useSuspenseQuery(vpcView(project, vpc))
  const { data: subnets = [] } = useQuery(allSubnets(project, vpc))
  const create = useOp(op.vpcSubnetCreate)

  const overlapProblem = (text: string) => {
    const found = overlapping(text, subnets, ({ ipv4Block, ipv6Block }) => [ipv4Block, ipv6Block])
    return found && `Overlaps with ${found.block} of the subnet ${found.owner.name}`
  }
  return (
    <CreateForm
      kind="subnet"
      context={`In VPC ${vpc}`}
      initial={initial}
      save={({ name, description, ipv4Block, ipv6Block, customRouter }, send) =>
        create.run(
          {
            query: { project, vpc },
            body: {
              name,
              description,
              ipv4Block: ipv4Block.trim(),
              ...(ipv6Block.trim() && { ipv6Block: ipv6Block.trim() }),
              ...routerOf(customRouter),
            },
          },
          send,
        )
      }
      fieldOf={refusedField}
      closeTo={vpcLink(project, vpc, 'subnets')}
      disabled={useWhyNotNetworks(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <TextField
        name="ipv4Block"
        label="IPv4 block"
        hint="A private network, such as 10.0.1.0/24."
        mono
        problem={(text) => subnetIpv4FieldProblem(text.trim()) ?? overlapProblem(text.trim())}
      />
      <TextField
        name="ipv6Block"
        label="IPv6 block"
        hint={`A /64 in ${network.ipv6Prefix}. Leave blank to get a free one.`}
        optional
        mono
        problem={(text) =>
          subnetIpv6FieldProblem(text.trim(), network.ipv6Prefix) ?? overlapProblem(text.trim())
        }
      />
      <RouterField project={project} vpc={vpc} />
    </CreateForm>
  )
}
