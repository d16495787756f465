// @chunk instance-networking: of one tab, which the other tabs of an instance do not need.
import { useQuery } from '@tanstack/react-query'
import { instanceAddressProblems } from '#/features/addresses/queries.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { vpcLink } from '#/features/vpcs/links.ts'
import { Note } from '#/ui/feedback/Note.tsx'

/** External addresses that do not work, each with the reason and where it is mended. */
export function AddressProblems({ project, instance }: { project: string; instance: string }) {
  const { data } = useQuery(instanceAddressProblems(project, instance))
  if (!data || data.items.length === 0) return null
  const title = data.items.length === 1 ? 'An external IP does not work' : 'External IPs do not work'
  return (
    <Note kind="busy" title={title}>
      <ul className="space-y-1.5">
        {data.items.map(({ kind, ip, message, nextStep, vpcName }) => (
          <li key={`${kind} ${ip}`}>
            {failureText({ message, help: nextStep })}{' '}
            {vpcName != null && (
              <PageLink {...vpcLink(project, vpcName, 'internet-gateways')} className="link">
                Internet gateways of {vpcName}
              </PageLink>
            )}
          </li>
        ))}
      </ul>
    </Note>
  )
}
