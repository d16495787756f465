import type { UpdateKind } from '@gantry/api/system/update.rules'

/** Seconds that the simulated rack takes to install one piece of software and to start it. */
const seconds: Readonly<Record<UpdateKind, number>> = {
  sled_rot: 2,
  sled_sp: 3,
  sled_host: 8,
  switch_rot: 2,
  switch_sp: 6,
  control_plane: 6,
}

export interface ComponentInstall {
  kind: UpdateKind
  since: Date
  /** A fault keeps new software of this sled from starting. */
  isFaulty: boolean
}

/** The outcome of an installation, or the time until there is one (ms). */
export function installReport(
  { kind, since, isFaulty }: ComponentInstall,
  now: Date,
): { inMs: number } | 'installed' | 'failed' {
  const left = since.getTime() + seconds[kind] * 1000 - now.getTime()
  // A clock that went back must not make it take longer than from the start.
  if (left > 0) return { inMs: Math.min(left, seconds[kind] * 1000) }
  return isFaulty ? 'failed' : 'installed'
}
