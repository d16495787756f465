import { AutoRestartCard } from './AutoRestartCard.tsx'
import { GroupsCard } from './GroupsCard.tsx'

interface Props {
  project: string
  instance: string
}

export function SettingsTab(props: Props) {
  return (
    <div className="space-y-5">
      <GroupsCard {...props} />
      <AutoRestartCard {...props} />
    </div>
  )
}
