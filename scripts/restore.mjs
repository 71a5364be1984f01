import { runBackupProgram } from './backup-program.mjs';

/** `npm run -s restore -- --from FILE.tar.gz`: fills an empty installation, while no server runs. */
await runBackupProgram('restore');
