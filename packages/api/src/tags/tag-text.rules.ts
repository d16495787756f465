import type { Tag } from './tag.rules.ts'

/** `env=prod`, or the key alone. */
export const tagText = ({ key, value }: Tag): string => (value === '' ? key : `${key}=${value}`)
