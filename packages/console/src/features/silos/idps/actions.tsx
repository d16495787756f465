// @chunk silos: of a silo's tab and of its form, and of no other details.
import * as op from '@gantry/api/client/operations.gen'
import type { OutputOf } from '@gantry/api/client/client'
import { useQuery } from '@tanstack/react-query'
import Pencil from 'lucide-react/icons/pencil'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { formatNumber, plural } from '#/ui/data/format.ts'
import type { Provider } from '../queries.ts'
import { providerDependents } from './queries.ts'

/** Why the providers of a silo cannot be corrected or deleted; the right to create them suffices. */
export function useWhyNotChange(silo: string): string | undefined {
  const whyNot = useWhyNot({ action: 'create_child', object: 'identity_provider', id: silo })
  return useHasExtensions() ? whyNot : 'This server cannot change identity providers'
}

/** The menu of a provider. */
export function useProviderActions(silo: string): ActionsOf<Provider> {
  const disabled = useWhyNotChange(silo)
  const remove = useOp(op.samlProviderDelete)
  return (provider) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled,
      link: { to: '/system/silos/$silo/idps/saml/$provider/edit', params: { silo, provider: provider.name } },
      over: true,
    },
    {
      label: 'Delete',
      disabled,
      onSelect: () =>
        confirmDelete({
          kind: 'identity provider',
          name: provider.name,
          gone: 'Nobody signs in through it any more.',
          extra: <Losses id={provider.id} />,
          run: () => remove.run({ path: { provider: provider.id }, query: {} }),
        }),
    },
  ]
}

/** Read anew for each question, since people sign in and out. */
function Losses({ id }: { id: string }) {
  const { data, error } = useQuery({
    ...providerDependents(id),
    staleTime: 0,
    gcTime: 0,
  })
  if (error) return <>What depends on it could not be read: {failureText(error)}</>
  return <>{data ? lossText(data) : 'Counting its sessions and access tokens …'}</>
}

const amount = (count: number, noun: string) => `${formatNumber(count)} ${plural(noun, count)}`

/** The message about what a deletion removes, and what remains. */
function lossText(counts: OutputOf<'samlProviderDependentsView'>): string {
  const { users, groups, sessions, accessTokens, otherProviders } = counts
  const ends = `${amount(sessions, 'session')} and ${amount(accessTokens, 'access token')} of its users end.`
  const stays = `${amount(users, 'user')} and ${amount(groups, 'group')} stay with their roles`
  const way =
    otherProviders > 0
      ? `and can sign in at ${amount(otherProviders, 'other provider')} of this silo.`
      : 'but cannot sign in until the silo has a provider again.'
  return `${ends} ${stays}, ${way}`
}
