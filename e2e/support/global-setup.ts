import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { settingsForDovecot } from './dovecot';
import { sharedLogVariable } from './failure-report';
import { baseUrlVariable, dataDirVariable, makeDataDir, makeRunFolder, startInstallation } from './installation';
import { inboundSecret } from './mail';

/** Starts one installation of the built product per run, which all workers use and which is removed afterwards. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const removeRunFolder = await makeRunFolder();
  try {
    const log = path.join(await makeDataDir(), 'server.log');
    const { baseUrl, dataDir, stop } = await startInstallation({
      settings: { INBOUND_SECRET: inboundSecret, ...(await settingsForDovecot()) },
      log: createWriteStream(log),
    });
    process.env[baseUrlVariable] = baseUrl;
    process.env[dataDirVariable] = dataDir;
    process.env[sharedLogVariable] = log;
    return () => stop().finally(removeRunFolder);
  } catch (error) {
    await removeRunFolder();
    throw error;
  }
}
