import type { LinkTarget } from '#/features/common/link-target.ts'

export const sshKeyLink = (sshKey: string) =>
  ({ to: '/settings/ssh-keys/$sshKey/edit', params: { sshKey } }) satisfies LinkTarget
