import { useQuery } from '@tanstack/react-query'
import { useWhyNot } from '#/data/permissions.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { SettingCard } from '#/kit/page/SettingCard.tsx'
import { lifetimeText } from './lifetime.ts'
import { authSettings } from './queries.ts'

const LifetimeDialog = lazyPart(() => import('./LifetimeDialog.tsx'), 'LifetimeDialog')

/** The token settings of a silo, which its administrators set for all users. */
export function SiloTokensCard() {
  return (
    <SettingCard
      title="Access tokens in this silo"
      description="Applies to every new token in the silo. Without a limit, tokens last 30 days."
      label="Maximum lifetime"
      query={useQuery(authSettings)}
      valueOf={({ deviceTokenMaxTtlSeconds: seconds }) =>
        seconds == null ? 'Not set' : lifetimeText(seconds)
      }
      whyNot={useWhyNot({ action: 'modify', object: 'silo' })}
      renderDialog={({ deviceTokenMaxTtlSeconds }, close) => (
        <LifetimeDialog seconds={deviceTokenMaxTtlSeconds ?? null} onClose={close} />
      )}
    />
  )
}
