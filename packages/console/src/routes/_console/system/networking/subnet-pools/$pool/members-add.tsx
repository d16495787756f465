import * as op from '@gantry/api/client/operations.gen'
import { lengthsOf, memberProblem, widest } from '@gantry/api/network/subnet-pool.rules'
import { parseIpNet } from '@gantry/api/base/ip.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { NumberField } from '#/kit/forms/choice-fields.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { subnetPoolLink } from '#/features/subnet-pools/links.ts'
import { poolAt, subnetPoolView } from '#/features/subnet-pools/queries.ts'
import { Note } from '#/ui/feedback/Note.tsx'

export const Route = createFileRoute('/_console/system/networking/subnet-pools/$pool/members-add')({
  loader: ({ context, params: { pool } }) => context.prefetch(subnetPoolView(pool)),
  staticData: { title: 'Add member' },
  component: MemberAdd,
})

interface Values {
  subnet: string
  minPrefixLength: number | null
  maxPrefixLength: number | null
}

const initial: Values = { subnet: '', minPrefixLength: null, maxPrefixLength: null }

const memberOf = ({ subnet, ...lengths }: Values) => ({ subnet: subnet.trim(), ...lengths })

function MemberAdd() {
  const { pool: name } = Route.useParams()
  const { data: pool } = useSuspenseQuery(subnetPoolView(name))
  const add = useOp(op.subnetPoolMemberAdd)
  const most = widest(pool.ipVersion)
  return (
    <SideForm
      title="Add member"
      pendingLabel="Adding member"
      context={`To subnet pool ${name}`}
      initial={initial}
      check={(values) => {
        const problem = memberProblem(memberOf(values), pool.ipVersion)
        return problem === undefined ? {} : { subnet: problem }
      }}
      save={(values, send) => add.run({ ...poolAt(name), body: memberOf(values) }, send)}
      reviewable
      saved={({ subnet }) => successMessage('Member', subnet, 'added')}
      closeTo={subnetPoolLink(name)}
      disabled={useWhyNotOnFleet()}
    >
      <Note>
        A network of IP{pool.ipVersion}. Members of all pools, and ranges of IP pools, must not overlap.
      </Note>
      <TextField name="subnet" label="Network" mono hint="With its prefix length, as in 198.51.100.0/24" />
      <NumberField
        name="minPrefixLength"
        label="Shortest prefix"
        max={most}
        hint="Of the largest subnets allowed. Left out: the network's own."
      />
      <NumberField
        name="maxPrefixLength"
        label="Longest prefix"
        max={most}
        hint={`Of the smallest subnets allowed. Left out: ${most}, a single address.`}
      />
      <Admitted />
    </SideForm>
  )
}

/** What may be allocated, once the network is legible. */
function Admitted() {
  const values = useWatch<Values>() as Values
  const member = memberOf(values)
  const net = parseIpNet(member.subnet)
  const isSound = net && memberProblem(member, net.version === 4 ? 'v4' : 'v6') === undefined
  const { min, max } = isSound ? lengthsOf(net, member) : { min: 0, max: 0 }
  return (
    <div role="status">
      {isSound && (
        <Note>
          Projects get subnets from /{min} to /{max}.
        </Note>
      )}
    </div>
  )
}
