// Files share their modules: timers that one file makes up and forgets would never fire in those after it.
import { afterAll, vi } from 'vitest'

afterAll(() => void vi.useRealTimers())
