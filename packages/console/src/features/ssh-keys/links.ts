import type { LinkTarget } from '#/kit/links/link-target.ts'

export const sshKeyLink = (sshKey: string) =>
  ({ to: '/settings/ssh-keys/$sshKey/edit', params: { sshKey } }) satisfies LinkTarget
